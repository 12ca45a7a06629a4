-- All kinds of whitespace, as one text: tabs and ends of lines, then the spaces of Unicode (category Zs).
CREATE OR REPLACE MACRO whitespace() AS
    concat(chr(9), chr(10), chr(11), chr(12), chr(13), '                　');
