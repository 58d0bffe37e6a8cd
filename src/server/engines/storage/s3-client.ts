import { S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { STORAGE_RETRY_AFTER_SECONDS } from '#contract/limits.ts'
import { conflict, notFound, AppError, unavailable } from '#server/kernel/errors.ts'
import type { S3Location } from './s3-url.ts'

export interface S3Connection {
  client: S3Client
  bucket: string
}

const CONNECT_TIMEOUT_MS = 2_000
const SOCKET_IDLE_MS = 20_000
const ATTEMPTS = 3

export function connectS3({ endpoint, region, bucket, credentials }: S3Location): S3Connection {
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    // Otherwise a presigned PUT carries the CRC-32 of an empty body and the browser's bytes are refused.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SOCKET_IDLE_MS },
    ...(credentials && { credentials }),
  })
  return { client, bucket }
}

/** Sends through `call` and turns what the store or the network answers into the refusals of the Storage interface. */
export async function asking<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw s3Failure(error)
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404
}

/** A request the store understood and refused is a fault of ours or of the set-up; everything else is the store being away. */
export function s3Failure(error: unknown): unknown {
  if (error instanceof AppError) return error
  if (!(error instanceof S3ServiceException)) return away()
  if (error.name === 'NoSuchUpload') return notFound('Upload')
  if (error.name === 'NoSuchBucket') return away()
  if (isMissing(error)) return notFound('File')
  const status = error.$metadata.httpStatusCode ?? 500
  if (status === 412) return conflict('The stored file was replaced while it was being read.')
  return status >= 500 || status === 429 || status === 408 ? away() : error
}

const away = () =>
  unavailable('The document storage cannot be reached at the moment. Please try again shortly.', STORAGE_RETRY_AFTER_SECONDS)
