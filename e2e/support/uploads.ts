import { fileCalls } from '#contract/account-files.ts'
import type { Client } from './client.ts'

interface Upload {
  accountId: string
  name: string
  bytes: Buffer
  type?: string
}

/** Uploads like the browser, with a signed form in one request; returns the key of the stored object. */
export async function sendBytes(client: Client, address: string, { accountId, name, bytes, type = 'text/plain' }: Upload): Promise<string> {
  const { data } = await client(fileCalls.signedUrl, {
    params: { id: accountId },
    body: { filePath: name, contentType: type, size: bytes.length },
  })
  const form = new FormData()
  for (const [field, value] of Object.entries(data.fields)) form.append(field, value)
  form.append('file', new Blob([new Uint8Array(bytes)], { type }), name)
  const answer = await fetch(new URL(data.postEndpoint, address), { method: 'POST', body: form })
  if (!answer.ok) throw new Error(`The store rejected ${name}: ${answer.status} ${await answer.text()}`)
  const key = data.fields['key']
  if (key === undefined) throw new Error('The signed form has no key')
  return key
}

/** Uploads the bytes and registers them as a document of the account; returns its id. */
export async function addDocument(client: Client, address: string, upload: Upload): Promise<string> {
  const key = await sendBytes(client, address, upload)
  const { data } = await client(fileCalls.register, {
    body: {
      file: { name: upload.name, size: upload.bytes.length, type: upload.type ?? 'text/plain' },
      s3ObjectLocation: key,
      account_id: upload.accountId,
    },
  })
  return data.id
}

/** Downloads a document or an archive through its link. */
export async function fetchFile(client: Client, address: string, accountId: string, fileId: string): Promise<Buffer> {
  const { data } = await client(fileCalls.show, { params: { id: accountId, file_id: fileId } })
  if (data.url === null) throw new Error(`There is no link to ${data.file.original_file_name} (${data.status})`)
  const answer = await fetch(new URL(data.url, address))
  if (!answer.ok) throw new Error(`${data.file.original_file_name}: ${answer.status} ${await answer.text()}`)
  return Buffer.from(await answer.arrayBuffer())
}
