import { openDiskStorage, type DiskStorage } from './disk.ts'
import type { S3Storage } from './s3.ts'

interface StorageOptions {
  /** `s3://…`; absent: files below `dataDir`. */
  storageUrl?: string | undefined
  dataDir: string
  /** The origin whose pages may send to and fetch from a foreign store. */
  appUrl: string
  secret: string
}

/** The SDK is loaded only where it is used: it would cost the disk mode memory and start-up time. */
export async function openStorage({ storageUrl, dataDir, appUrl, secret }: StorageOptions): Promise<DiskStorage | S3Storage> {
  if (storageUrl === undefined || storageUrl === '') return openDiskStorage({ dataDir, secret })
  const { openS3Storage } = await import('./s3.ts')
  return openS3Storage(storageUrl, appUrl)
}
