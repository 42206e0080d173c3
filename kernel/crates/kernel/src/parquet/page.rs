//! Pages, each after its header in Thrift's compact protocol.

use super::Refusal;
use super::hybrid::write_varint;
use super::room::Room;
use crate::memory::{Address, Bytes, Memory};

pub const PLAIN: u32 = 0;
const RLE: u32 = 3;
pub const RLE_DICTIONARY: u32 = 8;

#[derive(Clone, Copy)]
pub enum Header {
    Dictionary { values: usize },
    Data { slots: usize, encoding: u32 },
}

/// The size of a page with its header, and its size before compression.
#[derive(Clone, Copy, Default)]
pub struct Written {
    pub bytes: usize,
    pub raw_bytes: usize,
}

/// More than any header takes.
const MOST_HEADER: usize = 64;

/// The most that any codec makes of a page.
pub fn most_compressed(bytes: usize) -> usize {
    bytes + bytes / 6 + 512
}

pub struct Pages<Compress> {
    pub memory: Memory,
    pub is_compressed: bool,
    pub compress: Compress,
}

impl<Compress: FnMut(Bytes, Bytes) -> usize> Pages<Compress> {
    /// Writes a page at the lower end of the room.
    pub fn write(&mut self, room: &mut Room, page: Bytes, header: Header) -> Result<Written, Refusal> {
        let memory = self.memory;
        let to = room.expect(MOST_HEADER + most_compressed(page.length))?;
        let body = if self.is_compressed { self.compress(page, to + MOST_HEADER) } else { page };
        let checksum = crc32fast::hash(memory.slice(body.address, body.length));
        let end = write_header(memory, to, header, page.length, body.length, checksum);
        memory.copy(end, body.address, body.length);
        room.low = end + body.length;
        Ok(Written { bytes: room.low - to, raw_bytes: end - to + page.length })
    }

    fn compress(&mut self, page: Bytes, to: Address) -> Bytes {
        let length = (self.compress)(page, Bytes { address: to, length: most_compressed(page.length) });
        Bytes { address: to, length }
    }
}

fn write_header(memory: Memory, to: Address, header: Header, raw: usize, compressed: usize, checksum: u32) -> Address {
    let mut thrift = Thrift { memory, at: to };
    let (page_type, field) = match header {
        Header::Data { .. } => (0, 5),
        Header::Dictionary { .. } => (2, 7),
    };
    thrift.put_numbers(&[page_type, raw as u32, compressed as u32, checksum]);
    thrift.begin_struct(field - 4);
    match header {
        Header::Data { slots, encoding } => thrift.put_numbers(&[slots as u32, encoding, RLE, RLE]),
        Header::Dictionary { values } => thrift.put_numbers(&[values as u32, PLAIN]),
    }
    thrift.end_struct();
    thrift.end_struct();
    thrift.at
}

struct Thrift {
    memory: Memory,
    at: Address,
}

impl Thrift {
    const I32: u8 = 5;
    const STRUCT: u8 = 12;

    /// The next fields, in which numbers near zero, of either sign, are short.
    fn put_numbers(&mut self, numbers: &[u32]) {
        for number in numbers {
            let to = self.memory.put(self.at, 1 << 4 | Self::I32);
            let zigzag = number << 1 ^ ((*number as i32) >> 31) as u32;
            self.at = write_varint(self.memory, to, zigzag as usize);
        }
    }

    /// The field that is this much further.
    fn begin_struct(&mut self, further: u8) {
        self.at = self.memory.put(self.at, further << 4 | Self::STRUCT);
    }

    fn end_struct(&mut self) {
        self.at = self.memory.put(self.at, 0);
    }
}
