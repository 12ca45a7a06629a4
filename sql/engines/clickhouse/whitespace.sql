-- Tabs, ends of lines and the space, as one text: ClickHouse trims bytes, and other spaces of Unicode have several.
CREATE OR REPLACE MACRO whitespace() AS concat(chr(9), chr(10), chr(11), chr(12), chr(13), ' ');
