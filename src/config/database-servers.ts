/** Database servers: outputs with an address, which take rows as pieces of COPY text. */
export const databaseServers = {
  postgres: {
    title: 'PostgreSQL',
    example: 'postgres://user:password@db.example.com:5432/warehouse',
    protocols: ['postgres:', 'postgresql:'],
    /** Parameters of addresses; null if the driver reads them. */
    parameters: null,
    /** PostgreSQL truncates longer names. */
    mostNameBytes: 63,
  },
  mariadb: {
    title: 'MariaDB',
    example: 'mariadb://user:password@db.example.com:3306/shop',
    protocols: ['mariadb:', 'mysql:'],
    parameters: ['ssl', 'sslca', 'socket'],
    mostNameBytes: 64,
  },
} as const satisfies Record<string, DatabaseServer>

interface DatabaseServer {
  /** The name in messages. */
  readonly title: string
  readonly example: string
  readonly protocols: readonly string[]
  readonly parameters: readonly string[] | null
  readonly mostNameBytes: number
}

export type ServerFormat = keyof typeof databaseServers

export function isServer(format: string): format is ServerFormat {
  return Object.hasOwn(databaseServers, format)
}
