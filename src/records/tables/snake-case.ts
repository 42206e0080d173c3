/** A locale as it is written in names of columns: `en_AU` → `en_au`. */
export type Suffix<Locale extends string> = Locale extends `${infer Language}-${infer Country}`
  ? `${Lowercase<Language>}_${Lowercase<Country>}`
  : Lowercase<Locale>

/** The name of the column of a path, without locales: `photos[].formats.large` → `photos_formats_large`. */
export type SnakePath<Path extends string> = Path extends `${infer Part}.${infer Rest}`
  ? `${SnakePart<Part>}_${SnakePath<Rest>}`
  : SnakePart<Path>

type SnakePart<Part extends string> = Part extends `${infer List}[${infer At}]`
  ? At extends ''
    ? SnakeCase<List>
    : `${SnakeCase<List>}_${At}`
  : Part extends '$'
    ? 'record'
    : SnakeCase<Part>

/** Follows `toSnakeCase`, letter by letter. */
type SnakeCase<Rest extends string, Before extends string = '', Done extends string = ''> = string extends Rest
  ? string
  : Rest extends `${infer Letter}${infer After}`
    ? SnakeCase<After, Letter, `${Done}${Break<Before, Letter, After>}${Letter extends '-' ? '_' : Lowercase<Letter>}`>
    : Done

/** A word begins at a capital after a small letter or digit, and at a capital before a small letter. */
type Break<Before extends string, Letter extends string, After extends string> =
  IsCapital<Letter> extends false
    ? ''
    : IsSmall<Before> extends true
      ? '_'
      : IsCapital<Before> extends false
        ? ''
        : After extends `${infer Next}${string}`
          ? Next extends `${number}`
            ? ''
            : IsSmall<Next> extends true
              ? '_'
              : ''
          : ''

type IsCapital<Letter extends string> = Letter extends Lowercase<Letter> ? false : true

type IsSmall<Letter extends string> = Letter extends '' | '_' | '-'
  ? false
  : Letter extends Lowercase<Letter>
    ? true
    : false
