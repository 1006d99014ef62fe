//! Files of the program: written atomically, locked, read with a limit, no link followed.

pub mod file;
