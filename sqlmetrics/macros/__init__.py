"""The macros: created on a connection, installed for users, and the SELECTs that call them."""
