//! Bounds of long texts, of whole characters.

const MOST_BYTES: usize = 64;

/// The beginning of a text that is longer than bounds may be.
pub fn cut(text: &[u8]) -> &[u8] {
    if text.len() <= MOST_BYTES {
        return text;
    }
    let continues = |at: &usize| text[*at] & 0xc0 == 0x80;
    let end = (1..=MOST_BYTES).rev().find(|at| !continues(at)).unwrap_or(MOST_BYTES);
    &text[..end]
}

/// The least text of no more characters that is greater than every text with this prefix: how many of its bytes stay, and the
/// character behind them. None if there is no such text.
pub fn raise(prefix: &[u8]) -> Option<(usize, char)> {
    let characters = core::str::from_utf8(prefix).ok()?.char_indices();
    let (start, last) = characters.rev().find(|(_, character)| *character != char::MAX)?;
    (last..=char::MAX).nth(1).map(|next| (start, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_bytes_that_are_no_text() {
        assert_eq!(cut(&[0x80; 80]).len(), MOST_BYTES);
        assert_eq!(raise(&[0x80; 64]), None);
    }
}
