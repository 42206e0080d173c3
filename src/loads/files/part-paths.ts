export interface PartPlace {
  /** Folders between the folder of the path and the file: `status=active`. */
  readonly folders: readonly string[]
  readonly suffix: string
}

/** The path of one file of an output. Paths of object stores keep their form. */
export function formatPartPath(path: string, { folders, suffix }: PartPlace): string {
  const { folder, stem, ending } = splitOutputPath(path)
  return folder + [...folders, stem + suffix + ending].join('/')
}

/** Splits into the folder with its slash, the name, and the ending: `.csv.gz`. */
export function splitOutputPath(path: string): { folder: string; stem: string; ending: string } {
  const nameStart = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1
  const name = path.slice(nameStart)
  const [ending = ''] = /(?:\.[^.]*)?(?:\.gz)?$/.exec(name) ?? []
  return { folder: path.slice(0, nameStart), stem: name.slice(0, name.length - ending.length), ending }
}

/** Matches the names of all files of an output, of any run and number. */
export function toPartNamePattern(path: string): RegExp {
  const { stem, ending } = splitOutputPath(path)
  return new RegExp(`^${escapePattern(stem)}(?:-[0-9a-f]{8})?(?:-\\d{5,})?${escapePattern(ending)}$`)
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

/** `-00001`, from 1 on. */
export function formatPartNumber(number: number): string {
  return `-${String(number).padStart(5, '0')}`
}

/** `status=active`, as Hive names it: characters special to file systems and patterns are percent-encoded. */
export function formatPartitionFolder(column: string, text: string, platform = process.platform): string {
  const encode = (part: string) => (platform === 'win32' ? encodeForWindows(encodePart(part)) : encodePart(part))
  return `${encode(column)}=${text === defaultPartition ? text : encode(text)}`
}

/** The value for null in the name of a Hive folder. */
export const defaultPartition = '__HIVE_DEFAULT_PARTITION__'

function encodePart(text: string): string {
  return text.replaceAll(special, encodeCharacter)
}

/** Spark encodes these there, too; a dot at the end Windows leaves out of a name. */
function encodeForWindows(text: string): string {
  return text.replaceAll(/[ <>|]|\.$/g, encodeCharacter)
}

function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

// oxlint-disable-next-line no-control-regex -- the characters that Hive encodes
const special = /[\u0000-\u001f\u007f"#%'*/:=?\\{[\]^]/g
