//! Rows as the bytes of outputs, value by value. `None` is a table that only the reference path can write.

use super::table::{ColumnOf, Table, Text, Value};
use super::{Choices, Space};
use kernel::encode::batch::encode_batch;
use kernel::encode::cells::*;
use kernel::encode::copy::encode_copy;
use kernel::encode::csv::{CsvDialect, encode_csv};
use kernel::encode::ndjson::encode_ndjson;
use kernel::memory::Address;

const ROOM: usize = 1 << 15;
const LAST_DAY: i64 = 2_932_896;
const FIRST_DAY: i64 = -719_162;

#[derive(Clone, Copy)]
pub enum Form {
    Csv(CsvDialect),
    Ndjson,
    Copy,
    Batch,
}

pub fn choose_csv(choices: &mut Choices) -> Form {
    Form::Csv(CsvDialect {
        delimiter: *b",;\t'".get(choices.below(4)).unwrap(),
        quote: if choices.is() { b'"' } else { b'\'' },
        list_separator: b'|',
        quote_all: choices.is(),
        escape_formulas: choices.is(),
        crlf: choices.is(),
        decimal_comma: choices.is(),
    })
}

/// Encodes a table that bytes choose, with room enough and with a limit that they choose too.
pub fn check_encoder(choices: &mut Choices, form: Form) {
    let spare = choices.word() % 1024;
    let table = Table::choose(choices);
    let expected = match form {
        Form::Csv(dialect) => Some(write_csv(&table, dialect)),
        Form::Ndjson => Some(write_ndjson(&table)),
        Form::Copy => Some(write_copy(&table)),
        Form::Batch => None,
    };
    let whole = encode(&table, form, ROOM);
    match expected {
        None => check_batch(&table, &whole),
        Some(expected) => assert_eq!(whole, expected.ok_or(Refusal::NotSure)),
    }
    // Around the room that is needed: a limit far away shows nothing.
    let needed = whole.as_ref().map_or(512, |bytes| bytes.len());
    let limited = encode(&table, form, (needed + spare).saturating_sub(256));
    assert!(limited == whole || limited == Err(Refusal::NoRoom));
}

/// Encodes with some bytes of room, and expects nothing to be written outside it.
pub fn encode(table: &Table, form: Form, room: usize) -> Result<Vec<u8>, Refusal> {
    let mut space = Space::new(3 << 14);
    let rows = table.put(&mut space);
    let to: Address = space.take(0);
    let limit = to + room;
    let before = space.before(to);
    let encoded = match form {
        Form::Csv(dialect) => encode_csv(space.memory, rows, to, limit, dialect),
        Form::Ndjson => encode_ndjson(space.memory, rows, to, limit),
        Form::Copy => encode_copy(space.memory, rows, to, limit),
        Form::Batch => encode_batch(space.memory, rows, to, limit),
    };
    assert!(space.before(to) == before, "expected nothing to be written before the room");
    assert!(space.is_untouched(limit), "expected nothing to be written behind the limit");
    encoded.map(|bytes| space.memory.slice(to, bytes).to_vec())
}

fn join(parts: Vec<Vec<u8>>, separator: &[u8]) -> Vec<u8> {
    parts.join(separator)
}

fn write_csv(table: &Table, dialect: CsvDialect) -> Option<Vec<u8>> {
    let CsvDialect { delimiter, quote, list_separator, quote_all, escape_formulas, crlf, decimal_comma } = dialect;
    let scalar = |column: &ColumnOf, text: &[u8]| {
        let mut written = write_scalar(column, text)?;
        let has_comma = decimal_comma && (column.kind == FLOAT || column.kind == DECIMAL);
        if let Some(point) = written.iter().position(|byte| has_comma && *byte == b'.') {
            written[point] = b',';
        }
        Some(written)
    };
    let quoted = |text: &[u8]| {
        let inner = text.iter().flat_map(|byte| std::iter::repeat_n(*byte, if *byte == quote { 2 } else { 1 }));
        [quote].into_iter().chain(inner).chain([quote]).collect::<Vec<_>>()
    };
    let cell = |text: &[u8], may_be_formula: bool| {
        const WIDE: [&str; 4] = ["\u{ff1d}", "\u{ff0b}", "\u{ff0d}", "\u{ff20}"];
        let is_formula = may_be_formula
            && (text.first().is_some_and(|first| b"=+-@\t\r".contains(first))
                || WIDE.iter().any(|sign| text.starts_with(sign.as_bytes())));
        let shown = [if is_formula { &b"'"[..] } else { b"" }, text].concat();
        let is_special = |byte: &u8| [delimiter, quote, b'\r', b'\n'].contains(byte);
        if quote_all || shown.is_empty() || shown.iter().any(is_special) { quoted(&shown) } else { shown }
    };
    let mut lines = vec![];
    for row in &table.rows {
        let mut cells = vec![];
        for (column, value) in table.columns.iter().zip(row) {
            cells.push(match value {
                Value::One(None) | Value::Many(None) => vec![],
                Value::One(Some(text)) if column.is_text() => cell(text, escape_formulas),
                Value::One(Some(text)) => {
                    let written = scalar(column, text)?;
                    if quote_all { [&[quote], &written[..], &[quote]].concat() } else { written }
                }
                Value::Many(Some(texts)) => {
                    let element = |text: &Text| match text {
                        None => Some(vec![]),
                        Some(text) if column.is_text() => Some(escape(text, &[list_separator, b'\\'])),
                        Some(text) => scalar(column, text),
                    };
                    let elements = texts.iter().map(element).collect::<Option<_>>()?;
                    cell(&join(elements, &[list_separator]), escape_formulas && column.is_text())
                }
            });
        }
        lines.push(join(cells, &[delimiter]));
        lines.push(if crlf { b"\r\n".to_vec() } else { b"\n".to_vec() });
    }
    Some(lines.concat())
}

fn escape(text: &[u8], signs: &[u8]) -> Vec<u8> {
    text.iter().flat_map(|byte| if signs.contains(byte) { vec![b'\\', *byte] } else { vec![*byte] }).collect()
}

fn write_ndjson(table: &Table) -> Option<Vec<u8>> {
    let value = |column: &ColumnOf, text: &Text| {
        let Some(text) = text else { return Some(b"null".to_vec()) };
        match column.kind {
            TEXT => Some(write_string(text)),
            JSON => Some(join_lines(text)),
            FLOAT if text.last().is_some_and(|last| *last > b'9') => None,
            INTEGER | FLOAT | BOOLEAN => write_scalar(column, text),
            _ => Some([b"\"", &write_scalar(column, text)?[..], b"\""].concat()),
        }
    };
    let mut written = vec![];
    for row in &table.rows {
        for (column, cell) in table.columns.iter().zip(row) {
            written.extend_from_slice(&column.key);
            written.extend(match cell {
                Value::One(text) => value(column, text)?,
                Value::Many(None) => b"null".to_vec(),
                Value::Many(Some(texts)) => {
                    let values = texts.iter().map(|text| value(column, text)).collect::<Option<_>>()?;
                    [b"[", &join(values, b",")[..], b"]"].concat()
                }
            });
        }
        written.extend_from_slice(b"}\n");
    }
    Some(written)
}

fn write_string(text: &[u8]) -> Vec<u8> {
    let mut written = vec![b'"'];
    for byte in text {
        match byte {
            b'"' | b'\\' => written.extend([b'\\', *byte]),
            0x08 => written.extend(b"\\b"),
            b'\t' => written.extend(b"\\t"),
            b'\n' => written.extend(b"\\n"),
            0x0c => written.extend(b"\\f"),
            b'\r' => written.extend(b"\\r"),
            0..b' ' => written.extend(format!("\\u{byte:04x}").bytes()),
            _ => written.push(*byte),
        }
    }
    written.push(b'"');
    written
}

fn join_lines(text: &[u8]) -> Vec<u8> {
    let is_break = |byte: u8| byte == b'\r' || byte == b'\n';
    let mut written = vec![];
    for (at, byte) in text.iter().enumerate() {
        if !is_break(*byte) {
            written.push(*byte);
        } else if at == 0 || !is_break(text[at - 1]) {
            written.push(b' ');
        }
    }
    written
}

fn write_copy(table: &Table) -> Option<Vec<u8>> {
    let text_of = |text: &[u8]| {
        let mut written = vec![];
        for byte in text {
            match byte {
                0 => return None,
                b'\t' => written.extend(b"\\t"),
                b'\n' => written.extend(b"\\n"),
                b'\r' => written.extend(b"\\r"),
                b'\\' => written.extend(b"\\\\"),
                _ => written.push(*byte),
            }
        }
        Some(written)
    };
    let value = |column: &ColumnOf, text: &[u8]| {
        if column.kind == FLOAT { Some(text.to_vec()) } else { write_scalar(column, text) }
    };
    let mut lines = vec![];
    for row in &table.rows {
        let mut cells = vec![];
        for (column, cell) in table.columns.iter().zip(row) {
            cells.push(match cell {
                Value::One(None) | Value::Many(None) => b"\\N".to_vec(),
                Value::One(Some(text)) if column.is_text() => text_of(text)?,
                Value::One(Some(text)) => value(column, text)?,
                Value::Many(Some(texts)) => {
                    let element = |text: &Text| match text {
                        None => Some(b"NULL".to_vec()),
                        Some(text) if column.is_text() => {
                            Some([b"\"", &text_of(&escape(text, b"\"\\"))?[..], b"\""].concat())
                        }
                        Some(text) => value(column, text),
                    };
                    let elements = texts.iter().map(element).collect::<Option<_>>()?;
                    [b"{", &join(elements, b",")[..], b"}"].concat()
                }
            });
        }
        lines.push(join(cells, b"\t"));
        lines.push(b"\n".to_vec());
    }
    Some(lines.concat())
}

fn number(text: &[u8]) -> i128 {
    std::str::from_utf8(text).unwrap().parse().unwrap()
}

fn write_scalar(column: &ColumnOf, text: &[u8]) -> Option<Vec<u8>> {
    match column.kind {
        FLOAT if text == b"-0" => Some(b"0".to_vec()),
        MILLISECONDS => write_moment(number(text)),
        SECONDS => write_moment(number(text) * 1000),
        DATE => write_day(number(text)),
        DECIMAL if column.scale > 0 => {
            let (sign, digits) = if text[0] == b'-' { ("-", &text[1..]) } else { ("", text) };
            let digits = format!("{:0>width$}", std::str::from_utf8(digits).unwrap(), width = column.scale + 1);
            let (whole, rest) = digits.split_at(digits.len() - column.scale);
            Some(format!("{sign}{whole}.{rest}").into_bytes())
        }
        _ => Some(text.to_vec()),
    }
}

fn write_moment(milliseconds: i128) -> Option<Vec<u8>> {
    let (seconds, rest) = (milliseconds.div_euclid(1000), milliseconds.rem_euclid(1000));
    let day = write_day(seconds.div_euclid(86_400))?;
    let of_day = seconds.rem_euclid(86_400);
    let time = format!("T{:02}:{:02}:{:02}", of_day / 3600, of_day / 60 % 60, of_day % 60);
    let fraction = if rest == 0 { String::new() } else { format!(".{rest:03}") };
    Some([&day[..], time.as_bytes(), fraction.as_bytes(), b"Z"].concat())
}

/// By the algorithm of Howard Hinnant, which is not the kernel's.
fn write_day(days: i128) -> Option<Vec<u8>> {
    let days = i64::try_from(days).ok().filter(|days| (FIRST_DAY..=LAST_DAY).contains(days))? + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    Some(format!("{year:04}-{month:02}-{day:02}").into_bytes())
}

/// Reads a batch back, and compares.
fn check_batch(table: &Table, encoded: &Result<Vec<u8>, Refusal>) {
    let unknown = table.rows.iter().any(|row| {
        table.columns.iter().zip(row).any(|(column, value)| match value {
            Value::One(text) => text.iter().any(|text| write_fixed(column, text).is_none()),
            Value::Many(texts) => texts.iter().flatten().flatten().any(|text| write_fixed(column, text).is_none()),
        })
    });
    let Ok(bytes) = encoded else {
        assert!(unknown && *encoded == Err(Refusal::NotSure), "expected a batch");
        return;
    };
    assert!(!unknown, "expected no batch");
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((word(0), word(4)), (table.rows.len(), bytes.len()));
    let mut entry = 8;
    let mut next = || {
        let (start, length) = (word(entry), word(entry + 4));
        assert_eq!(start % 16, 0);
        entry += 8;
        &bytes[start..start + length]
    };
    for (index, column) in table.columns.iter().enumerate() {
        let values = || table.rows.iter().map(|row| &row[index]);
        let mut elements: Vec<&Text> = vec![];
        if column.is_list {
            let lists: Vec<_> = values()
                .map(|value| if let Value::Many(texts) = value { texts.as_ref() } else { unreachable!() })
                .collect();
            assert_eq!(next(), validity(lists.iter().map(|list| list.is_some())));
            let mut offsets = 0u32.to_le_bytes().to_vec();
            for list in lists {
                elements.extend(list.iter().flat_map(|texts| texts.iter()));
                offsets.extend((elements.len() as u32).to_le_bytes());
            }
            assert_eq!(next(), offsets);
        } else {
            elements.extend(values().map(|value| if let Value::One(text) = value { text } else { unreachable!() }));
        }
        assert_eq!(next(), validity(elements.iter().map(|text| text.is_some())));
        let filled = |text: &&Text| (*text).clone().unwrap_or_default();
        if column.is_text() {
            let (mut offsets, mut texts) = (0u32.to_le_bytes().to_vec(), vec![]);
            for text in &elements {
                texts.extend(filled(text));
                offsets.extend((texts.len() as u32).to_le_bytes());
            }
            assert_eq!(next(), offsets);
            assert_eq!(next(), texts);
        } else if column.kind == BOOLEAN {
            assert_eq!(next(), pack_bits(elements.iter().map(|text| filled(text) == b"true")));
        } else {
            let null = vec![
                0;
                match column.kind {
                    DATE => 4,
                    DECIMAL => 16,
                    _ => 8,
                }
            ];
            let each = |text: &&Text| text.as_ref().map_or(null.clone(), |text| write_fixed(column, text).unwrap());
            assert_eq!(next(), elements.iter().flat_map(each).collect::<Vec<_>>());
        }
    }
}

fn pack_bits(bits: impl Iterator<Item = bool>) -> Vec<u8> {
    let bits: Vec<_> = bits.collect();
    let pack = |eight: &[bool]| eight.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
    bits.chunks(8).map(pack).collect()
}

fn validity(bits: impl Iterator<Item = bool> + Clone) -> Vec<u8> {
    if bits.clone().all(|bit| bit) { vec![] } else { pack_bits(bits) }
}

/// A number as it is in a batch.
fn write_fixed(column: &ColumnOf, text: &[u8]) -> Option<Vec<u8>> {
    let moment = |milliseconds: i128| write_moment(milliseconds).map(|_| (milliseconds as i64).to_le_bytes().to_vec());
    match column.kind {
        FLOAT => Some(std::str::from_utf8(text).unwrap().parse::<f64>().unwrap().to_le_bytes().to_vec()),
        MILLISECONDS => moment(number(text)),
        SECONDS => moment(number(text) * 1000),
        DATE => write_day(number(text)).map(|_| (number(text) as i32).to_le_bytes().to_vec()),
        INTEGER => i64::try_from(number(text)).ok().map(|value| value.to_le_bytes().to_vec()),
        DECIMAL => {
            let digits = text.len() - usize::from(text[0] == b'-');
            (digits <= column.precision).then(|| number(text).to_le_bytes().to_vec())
        }
        _ => Some(vec![]),
    }
}
