//! JSON text of values that the walk has passed: in canonical form for cells, and as the content that a record's hash is made of.

mod codes;
mod content;
mod hash;
mod members;
mod raw;
#[cfg(test)]
mod test_lines;
#[cfg(test)]
mod tests;
mod text;
mod values;

pub(super) use text::JsonText;
