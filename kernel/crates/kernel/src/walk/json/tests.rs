use super::test_lines::{Lines, Missing, Text};
use crate::layout::*;

/// `{ id, name, codes }`, and text of any locale.
fn product(lines: &mut Lines) -> usize {
    let (id, text, codes) = (lines.node(INTEGER_NODE), lines.node(TEXT_NODE), lines.code(4));
    let name = lines.localized(text, &[("en", text)]);
    lines.object(&[("id", id), ("name", name), ("codes", codes)])
}

#[test]
fn takes_a_range_of_the_line_if_it_is_canonical() {
    let mut lines = Lines::new();
    let node = product(&mut lines);
    let value = r#"{"id":1,"name":{"en":"a\n\u001f\"","de":null},"new":[1,{"x":true}]}"#;
    let expected = Text { text: value.to_owned(), is_copied: false, arena_bytes: 0 };
    assert_eq!(lines.try_json(node, value), Ok(expected));
}

#[test]
fn leaves_out_white_space_and_takes_exactly_the_room_of_the_text() {
    let mut lines = Lines::new();
    let node = product(&mut lines);
    let value = "{ \"id\" : 1 ,\t\"new\": [ 1 , { \"a b\" : false } , \" \" , null,[ ], {} ] }";
    let text = r#"{"id":1,"new":[1,{"a b":false}," ",null,[],{}]}"#;
    let expected = Text { text: text.to_owned(), is_copied: true, arena_bytes: text.len() };
    assert_eq!(lines.try_json(node, value), Ok(expected));
    lines.deliver(node);
    assert_eq!(lines.json(node, value), text);
}

#[test]
fn writes_escapes_as_javascript_does() {
    let mut lines = Lines::new();
    let node = lines.node(TEXT_NODE);
    for (escaped, written) in [
        (r"\/", "/"),
        (r"\u002f", "/"),
        (r"\u0041\u00e9\u20AC", "Aé€"),
        (r"\u0008\u0009\u000A\u000c\u000D", r"\b\t\n\f\r"),
        (r"\u0022\u005C", r#"\"\\"#),
        (r"\u001F\u000B", r"\u001f\u000b"),
        (r"\u001f\u000b\u0010", r"\u001f\u000b\u0010"),
        (r#"\"\\\b\f\n\r\t"#, r#"\"\\\b\f\n\r\t"#),
        (r"\u007f\u2028", "\u{7f}\u{2028}"),
        (r"a\\u0041", r"a\\u0041"),
        (r"a\/b\/", "a/b/"),
    ] {
        assert_eq!(lines.json(node, &format!("\"{escaped}\"")), format!("\"{written}\""));
    }
    assert_eq!(lines.try_json(node, r#""\uD83D\uDE00""#), Err(Missing::Form));
}

#[test]
fn orders_members_and_puts_unknown_ones_behind_as_they_come() {
    let mut lines = Lines::new();
    let node = product(&mut lines);
    for (value, text) in [
        (r#"{"name":"\u0061","id":7}"#, r#"{"id":7,"name":{"*":"a"}}"#),
        (r#"{"z":"\/","id":1,"y":[ 2 ]}"#, r#"{"id":1,"z":"/","y":[2]}"#),
        (
            r#"{"codes":"12","z":1,"name":{"en":"\/","a":"\u0041"}}"#,
            r#"{"name":{"en":"/","a":"A"},"codes":"0012","z":1}"#,
        ),
        (r#"{"y":1,"x":2}"#, r#"{"y":1,"x":2}"#),
        (r#"{"idx":1,"i":2,"id":3}"#, r#"{"id":3,"idx":1,"i":2}"#),
        (r#"{"":1,"id":3}"#, r#"{"id":3,"":1}"#),
        ("{ }", "{}"),
    ] {
        assert_eq!(lines.json(node, value), text);
    }
}

#[test]
fn orders_members_within_members_that_are_out_of_order() {
    let mut lines = Lines::new();
    let text = lines.node(TEXT_NODE);
    let inner = lines.object(&[("a", text), ("b", text)]);
    let list = lines.list(inner);
    let outer = lines.object(&[("one", inner), ("many", list)]);
    let value = r#"{"many":[{"b":"\/","a":"1"},{"a":"2","b":"\u0033"}],"one":{"b":"4","a":"\u0035"}}"#;
    let expected = r#"{"one":{"a":"5","b":"4"},"many":[{"a":"1","b":"/"},{"a":"2","b":"3"}]}"#;
    assert_eq!(lines.json(outer, value), expected);
}

#[test]
fn pads_and_joins_codes() {
    let mut lines = Lines::new();
    let node = lines.code(4);
    let object = lines.object(&[("code", node)]);
    for (value, text) in [
        (r#""12""#, r#""0012""#),
        (r#""1234""#, r#""1234""#),
        (r#""12345""#, r#""12345""#),
        (r#""1a""#, r#""1a""#),
        (r#""""#, r#""""#),
        ("7", r#""0007""#),
        (r#"[ "1" , 22,"x"]"#, r#""0001|0022|x""#),
        ("[ ]", "null"),
        ("null", "null"),
    ] {
        assert_eq!(lines.json(object, &format!("{{\"code\":{value}}}")), format!("{{\"code\":{text}}}"));
    }
}

#[test]
fn writes_numbers_and_text_in_the_form_of_the_contract() {
    let mut lines = Lines::new();
    let (text, float, labelled) = (lines.node(TEXT_NODE), lines.node(FLOAT_NODE), lines.node(LABELLED_NODE));
    let list = lines.list(text);
    let object = lines.object(&[("text", text), ("float", float), ("labelled", labelled), ("list", list)]);
    for (value, written) in [
        (r#"{"text":12.50}"#, r#"{"text":"12.5"}"#),
        (r#"{"text":true,"float":"1.0"}"#, r#"{"text":"true","float":1}"#),
        (r#"{"float":-0.250}"#, r#"{"float":-0.25}"#),
        (r#"{"labelled":{"value":"v","label":"\/"}}"#, r#"{"labelled":"/"}"#),
        (r#"{"labelled":{"label":null,"value":"v"},"list":"x"}"#, r#"{"labelled":"v","list":["x"]}"#),
        (r#"{"labelled":{ },"list":[ ]}"#, r#"{"labelled":null,"list":[]}"#),
        (r#"{"labelled":1,"list":[ "a" , 1, null]}"#, r#"{"labelled":"1","list":["a","1",null]}"#),
    ] {
        assert_eq!(lines.json(object, value), written);
    }
}

#[test]
fn breaks_off_for_numbers_that_javascript_may_write_in_another_form() {
    let mut lines = Lines::new();
    let node = product(&mut lines);
    for number in ["-0", "-0.0", "0.0000001", "1234567890123456"] {
        assert_eq!(lines.try_json(node, &format!("{{\"new\":[{number}]}}")), Err(Missing::Form), "{number}");
    }
    assert_eq!(lines.json(node, r#"{"new":[0.000001,123456789012345]}"#), r#"{"new":[0.000001,123456789012345]}"#);
}

#[test]
fn writes_localized_values_and_values_in_place_of_objects() {
    let mut lines = Lines::new();
    let (id, text) = (lines.node(INTEGER_NODE), lines.node(TEXT_NODE));
    let (name, list) = (lines.localized(text, &[("en", text)]), lines.list(text));
    let bare = lines.object(&[("id", id), ("tags", list), ("name", text)]);
    lines.set_bare(bare, [0, 1, 2], list);
    let object = lines.object(&[("a", name), ("b", bare)]);
    for (value, written) in [
        (r#"{"a":"x","b":5}"#, r#"{"a":{"*":"x"},"b":{"id":5}}"#),
        (r#"{"a":[],"b":["t","\/"]}"#, r#"{"a":{},"b":{"tags":["t","/"]}}"#),
        (r#"{"a":{"fr":1,"en":"y"},"b":"n"}"#, r#"{"a":{"fr":"1","en":"y"},"b":{"name":"n"}}"#),
        (r#"{"b":[ ]}"#, r#"{"b":{}}"#),
    ] {
        assert_eq!(lines.json(object, value), written);
    }
    assert_eq!(lines.content(object, r#"{"b":["t",2],"a":"x"}"#), r#"{"a":{"*":"x"},"b":{"tags":["t","2"]}}"#);
    assert_eq!(lines.content(object, r#"{"b":5,"a":[]}"#), r#"{"b":{"id":5}}"#);
    // Tags are content no longer: a list in place of the object is nothing, and the walk goes on behind it.
    lines.drop_content(bare, 1);
    let after = lines.object(&[("b", bare), ("z", text)]);
    assert_eq!(lines.content(after, r#"{"b":["t","u"],"z":"1"}"#), r#"{"z":"1"}"#);
    assert_eq!(lines.content(after, r#"{"b":"n","z":"1"}"#), r#"{"b":{"name":"n"},"z":"1"}"#);
    let many = lines.list(bare);
    let after = lines.object(&[("many", many)]);
    assert_eq!(lines.content(after, r#"{"many":[["t","u"],"n",[],5]}"#), r#"{"many":[{},{"name":"n"},{},{"id":5}]}"#);
}

#[test]
fn says_if_there_is_no_room() {
    let value = r#"{"name":"\/","id":7}"#;
    let text = r#"{"id":7,"name":{"*":"/"}}"#;
    let mut with_room = 0;
    for room in 0..text.len() + 32 {
        let mut lines = Lines::new();
        let node = product(&mut lines);
        lines.limit_arena(room);
        match lines.try_json(node, value) {
            Ok(written) => {
                assert_eq!(written.text, text);
                with_room += 1;
            }
            Err(missing) => assert_eq!((missing, with_room), (Missing::Room, 0)),
        }
        let content = lines.try_content(node, value).map(|written| written.text);
        assert!(content == Err(Missing::Room) || (content == Ok(text.to_owned()) && room >= text.len()));
    }
    assert!((16..=32).contains(&with_room), "{with_room}");
}

#[test]
fn writes_no_character_behind_the_room() {
    let value = format!("\"{}\"", r"\u20ac\u000a".repeat(8));
    for room in 0..128 {
        let mut lines = Lines::new();
        let node = lines.node(TEXT_NODE);
        lines.limit_arena(room);
        let written = lines.try_json(node, &value).map(|written| written.text);
        assert!(written == Err(Missing::Room) || written == Ok(format!("\"{}\"", r"€\n".repeat(8))));
    }
}

#[test]
fn leaves_what_is_not_filled_out_of_content() {
    let mut lines = Lines::new();
    let (text, code) = (lines.node(TEXT_NODE), lines.code(2));
    let name = lines.localized(text, &[("en", text)]);
    let inner = lines.object(&[("code", code), ("text", text)]);
    let list = lines.list(inner);
    let codes = lines.list(code);
    let node = lines.object(&[("name", name), ("list", list), ("codes", codes), ("a", text), ("inner", inner)]);
    for (value, content) in [
        (r#"{"name":{"en":"e","de":"d"},"new":1,"a":"\/"}"#, r#"{"a":"/","name":{"de":"d","en":"e"}}"#),
        (r#"{"name":{"en":null},"inner":{"text":null,"code":[ ]},"a":"1"}"#, r#"{"a":"1"}"#),
        (
            r#"{"list":[{"text":null},null,{"code":"1"}],"codes":[[],"3",null]}"#,
            r#"{"codes":[null,"03",null],"list":[{},null,{"code":"01"}]}"#,
        ),
        (r#"{"list":{"text":"x"},"codes":[ ],"inner":{}}"#, r#"{"codes":[],"list":[{"text":"x"}]}"#),
        (r#"{"inner":{"text":"\u0031","code":["1","2"]}}"#, r#"{"inner":{"code":"01|02","text":"1"}}"#),
        (
            r#"{"list":[{"text":"x","code":"1"},{"code":"2","text":"y"}],"a":null,"new":{"a":1},"inner":{"text":"t","code":3}}"#,
            r#"{"inner":{"code":"03","text":"t"},"list":[{"code":"01","text":"x"},{"code":"02","text":"y"}]}"#,
        ),
    ] {
        assert_eq!(lines.content(node, value), content);
    }
    assert_eq!(lines.content(node, "{}"), "");
    assert_eq!(lines.content(node, r#"{"a":null,"name":[]}"#), "");
}

#[test]
fn sorts_locales_up_to_a_limit_and_only_ascii() {
    let mut lines = Lines::new();
    let text = lines.node(TEXT_NODE);
    let name = lines.localized(text, &[]);
    let node = lines.object(&[("name", name)]);
    let of = |locales: &[String]| {
        let members: Vec<_> = locales.iter().map(|locale| format!("\"{locale}\":\"x\"")).collect();
        format!("{{\"name\":{{{}}}}}", members.join(","))
    };
    let mut locales: Vec<_> = (0..MOST_CONTENT_LOCALES).rev().map(|number| format!("l{}", number * 7)).collect();
    locales[3] = "l".to_owned();
    let value = of(&locales);
    locales.sort_unstable();
    assert_eq!(lines.content(node, &value), of(&locales));
    locales.push("one more".to_owned());
    assert_eq!(lines.try_content(node, &of(&locales)), Err(Missing::Form));
    assert_eq!(lines.try_content(node, &of(&["en".to_owned(), "é".to_owned()])), Err(Missing::Form));
}
