//! Tables, the schema file, and the encoding of rows to columns of numbers.
