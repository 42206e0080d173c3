import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import { CatalogueError, messageOf } from '../../errors.ts'
import { requireOptional } from '../../optional-package.ts'
import type { RequiredContext } from '../../run-context.ts'

export type S3 = typeof import('@aws-sdk/client-s3')

export interface ConnectedS3 {
  readonly s3: S3
  readonly client: S3Client
}

type Environment = RequiredContext<'env'>['env']

/**
 * Loads the AWS SDK, an optional peer, and creates a client for the storage that the environment or the AWS
 * configuration names: AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID and so on, otherwise
 * AWS_PROFILE and the shared files. Throws PEER_MISSING with the path `shown`.
 */
export async function connectS3(
  env: Environment,
  shown: string,
  load: () => S3 | Promise<S3> = requireSdk,
): Promise<ConnectedS3> {
  const s3 = await loadS3(shown, load)
  return { s3, client: withoutVersionNotice(() => new s3.S3Client(toClientConfig(env))) }
}

/**
 * Suppresses the nine lines that the SDK logs on a version of Node that its next major version drops. The SDK reads its
 * switch once, with the first client; a value in the environment has precedence.
 */
function withoutVersionNotice<Client>(create: () => Client): Client {
  const name = 'AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'
  if (process.env[name] !== undefined) return create()
  process.env[name] = 'true'
  try {
    return create()
  } finally {
    delete process.env[name]
  }
}

function requireSdk(): S3 {
  return requireOptional('@aws-sdk/client-s3') as S3
}

async function loadS3(shown: string, load: () => S3 | Promise<S3>): Promise<S3> {
  try {
    return await load()
  } catch (thrown) {
    const said = messageOf(thrown).split('\n')[0] ?? ''
    throw new CatalogueError('PEER_MISSING', `${shown}: expected the package "@aws-sdk/client-s3", got: ${said}`, {
      cause: thrown,
      fix: 'npm install @aws-sdk/client-s3',
    })
  }
}

function toClientConfig(env: Environment): S3ClientConfig {
  const endpoint = env['AWS_ENDPOINT_URL_S3'] ?? env['AWS_ENDPOINT_URL']
  const region = env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION']
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = env
  return {
    maxAttempts: Number(env['AWS_MAX_ATTEMPTS'] ?? usualAttempts),
    // Not every compatible storage knows the checksums of 2025 and later. Each part has its MD5 instead.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 10_000, socketTimeout: 60_000 },
    ...(region === undefined ? (endpoint === undefined ? {} : { region: usualRegion }) : { region }),
    // Few other storages have a host name for each bucket.
    ...(endpoint === undefined
      ? {}
      : { endpoint, forcePathStyle: !/\.amazonaws\.com(?:\.cn)?$/.test(hostOf(endpoint)) }),
    ...(accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) } }),
  }
}

const usualRegion = 'us-east-1'
const usualAttempts = 5

function hostOf(address: string): string {
  if (!URL.canParse(address))
    throw new CatalogueError(
      'USAGE',
      `AWS_ENDPOINT_URL: expected an address such as https://storage.example.com, got "${address}"`,
    )
  return new URL(address).hostname
}
