import { S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { STORAGE_RETRY_AFTER_SECONDS } from '#contract/limits.ts'
import { conflict, notFound, AppError, unavailable } from '#server/kernel/errors.ts'

export interface S3Location {
  endpoint: string
  region: string
  bucket: string
  /** Absent: the credentials of the environment, such as an instance role. */
  credentials?: { accessKeyId: string; secretAccessKey: string }
}

export type S3Connection = { client: S3Client; bucket: string }

const CONNECT_TIMEOUT_MS = 2_000
const SOCKET_IDLE_MS = 20_000
const ATTEMPTS = 3

/** Parses `s3://ACCESS:SECRET@host:port/bucket?region=us-east-1&tls=false`. Access and secret are percent-encoded; TLS is the default. */
export function parseStorageUrl(text: string): S3Location {
  const url = URL.parse(text)
  const bucket = url?.pathname.replace(/^\/|\/$/g, '') ?? ''
  if (url?.protocol !== 's3:' || url.host === '' || !/^[a-z0-9][a-z0-9.-]{2,62}$/.test(bucket)) {
    throw new AppError('internal', 'STORAGE_URL must look like s3://ACCESS:SECRET@host:port/bucket?region=us-east-1&tls=false.')
  }
  const scheme = url.searchParams.get('tls') === 'false' ? 'http' : 'https'
  const location = { endpoint: `${scheme}://${url.host}`, region: url.searchParams.get('region') ?? 'us-east-1', bucket }
  if (url.username === '') return location
  const credentials = { accessKeyId: decodeURIComponent(url.username), secretAccessKey: decodeURIComponent(url.password) }
  return { ...location, credentials }
}

export function connectS3({ endpoint, region, bucket, credentials }: S3Location): S3Connection {
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    // Otherwise a presigned PUT contains the CRC-32 of an empty body, and the store rejects the browser's bytes.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SOCKET_IDLE_MS },
    ...(credentials && { credentials }),
  })
  return { client, bucket }
}

/** Maps errors of the store and the network to those of the Storage interface. */
export async function mapErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw s3Failure(error)
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404
}

/** A request that the store rejects is an error in our code or in the setup and is returned unchanged. */
export function s3Failure(error: unknown): unknown {
  if (error instanceof AppError) return error
  if (!(error instanceof S3ServiceException)) return unreachable()
  if (error.name === 'NoSuchUpload') return notFound('Upload')
  if (error.name === 'NoSuchBucket') return unreachable()
  if (isMissing(error)) return notFound('File')
  const status = error.$metadata.httpStatusCode ?? 500
  if (status === 412) return conflict('The stored file was replaced while it was being read.')
  if (status === 401 || status === 403) return Object.assign(unavailable(NOT_PERMITTED, STORAGE_RETRY_AFTER_SECONDS), { cause: error })
  return status >= 500 || status === 429 || status === 408 ? unreachable() : error
}

const NOT_PERMITTED = 'The document storage does not permit this. Ask your administrator to check its permissions.'

const unreachable = () =>
  unavailable('The document storage cannot be reached at the moment. Please try again shortly.', STORAGE_RETRY_AFTER_SECONDS)
