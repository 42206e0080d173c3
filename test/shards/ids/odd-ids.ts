import { constantFrom, integer, oneof, string, type Arbitrary } from 'fast-check'

/** Ids that are often equal, and some that are nearly equal. */
export const oddIds: Arbitrary<string> = oneof(
  { weight: 6, arbitrary: integer({ min: 0, max: 30 }).map(String) },
  { weight: 1, arbitrary: string({ unit: 'binary', minLength: 1, maxLength: 3 }) },
  {
    weight: 2,
    arbitrary: constantFrom(
      'M',
      'M ',
      '\u{1f600}',
      '\ud83d',
      '\ude00',
      '\ufffd',
      'e\u0301',
      '\u00e9',
      'x'.repeat(2047),
      'x'.repeat(2048),
      'x'.repeat(2049),
      'y'.repeat(9000),
    ),
  },
)
