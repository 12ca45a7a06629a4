-- A formula with a name for a value that it uses more than once.
-- value: the value, computed once
-- formula: lambda name: formula
CREATE OR REPLACE MACRO let(value, formula) AS list_transform([value], formula)[1];
