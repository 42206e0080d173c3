//! What the values of a column are, in record batches and in pages.

use super::Refusal;
use crate::layout::{
    BOOLEAN_COLUMN, DECIMAL32_COLUMN, DECIMAL64_COLUMN, FLOAT64_COLUMN, INT32_COLUMN, INT64_COLUMN,
    LONG_DECIMAL_COLUMN, TEXT_COLUMN,
};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    Boolean,
    Int32,
    Int64,
    Float64,
    /// Decimals have 128 bits in batches.
    Decimal32,
    Decimal64,
    /// A decimal of this many bytes, the most significant first.
    LongDecimal(usize),
}

impl Kind {
    pub fn of(kind: usize, width: usize) -> Result<Self, Refusal> {
        match kind {
            TEXT_COLUMN => Ok(Self::Text),
            BOOLEAN_COLUMN => Ok(Self::Boolean),
            INT32_COLUMN => Ok(Self::Int32),
            INT64_COLUMN => Ok(Self::Int64),
            FLOAT64_COLUMN => Ok(Self::Float64),
            DECIMAL32_COLUMN => Ok(Self::Decimal32),
            DECIMAL64_COLUMN => Ok(Self::Decimal64),
            LONG_DECIMAL_COLUMN if (1..=16).contains(&width) => Ok(Self::LongDecimal(width)),
            _ => Err(Refusal::NoBatch),
        }
    }

    /// Bytes of a value once it is gathered: of a text its address and length, of others those in pages, but a boolean has a byte.
    pub fn width(self) -> usize {
        match self {
            Self::Boolean => 1,
            Self::Int32 | Self::Decimal32 => 4,
            Self::Text | Self::Int64 | Self::Float64 | Self::Decimal64 => 8,
            Self::LongDecimal(width) => width,
        }
    }

    /// Bytes of values in a batch; those of texts are in their offsets.
    pub fn stored_bytes(self, count: u64) -> u64 {
        match self {
            Self::Text => 0,
            Self::Boolean => count.div_ceil(8),
            Self::Int32 => count * 4,
            Self::Int64 | Self::Float64 => count * 8,
            Self::Decimal32 | Self::Decimal64 | Self::LongDecimal(_) => count * 16,
        }
    }

    /// How many buffers there are for values: validity, offsets of texts, values.
    pub fn buffers(self) -> usize {
        if self == Self::Text { 3 } else { 2 }
    }

    pub fn has_dictionary(self) -> bool {
        !matches!(self, Self::Boolean | Self::LongDecimal(_))
    }
}
