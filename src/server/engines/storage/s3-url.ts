import { AppError } from '#server/kernel/errors.ts'

export interface S3Location {
  endpoint: string
  region: string
  bucket: string
  /** Absent: the SDK looks in its usual places (environment, instance role). */
  credentials?: { accessKeyId: string; secretAccessKey: string }
}

/** Reads `s3://ACCESS:SECRET@host:port/bucket?region=us-east-1&tls=false`; access and secret are percent-encoded, TLS is the default. */
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
