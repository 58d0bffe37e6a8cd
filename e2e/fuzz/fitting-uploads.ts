import { putPart } from '#server/engines/storage/storage.fixture.ts'
import { NothingFits, dataOf, type Recipes, type Scene } from './scene.ts'
import { pick } from './random-values.ts'

interface Content {
  name: string
  bytes: Buffer
  purpose: 'document' | 'import'
}

const NOTE: Content = { name: 'Valuation report.txt', bytes: Buffer.from('A document'), purpose: 'document' }

async function started({ as, account }: Scene, { name, bytes, purpose }: Content): Promise<{ upload_id: string; key: string }> {
  const body = { filePath: name, size: bytes.length, purpose, contentType: 'text/plain' }
  const answer = await as.post(`/api/v1/accounts/${account}/files/multipart`, body)
  if (answer.status !== 201 && answer.status !== 200) throw new NothingFits('upload')
  return answer.body.data
}

/** An upload with all its bytes that is not complete. */
async function sent(scene: Scene, content: Content) {
  const { origin, as, account } = scene
  const { upload_id, key } = await started(scene, content)
  const { body } = await as.post(`/api/v1/accounts/${account}/files/multipart/${upload_id}/part`, { number: 1 })
  const { headers } = await putPart(origin, body.data.url, content.bytes)
  return { upload_id, key, parts: [{ number: 1, etag: String(headers.get('etag')).replaceAll('"', '') }] }
}

export async function uploadedKey(scene: Scene, content: Content): Promise<string> {
  const { upload_id, key, parts } = await sent(scene, content)
  await scene.as.post(`/api/v1/accounts/${scene.account}/files/multipart/${upload_id}/complete`, { parts })
  return key
}

const registration = async (scene: Scene) => ({
  file: { name: NOTE.name, size: NOTE.bytes.length, type: 'text/plain' },
  s3ObjectLocation: await uploadedKey(scene, NOTE),
  account_id: scene.account,
  category: pick(scene.random, ['appraisal', 'sov', undefined]),
})

const documentOf = ({ some, account }: Scene) => some(`accounts/${account}/files`)
const aboutDocument = async (scene: Scene) => ({ params: { file_id: await documentOf(scene) } })

const aboutVersion = async (scene: Scene) => ({ params: { file_id: await documentOf(scene), number: '1' } })

/** An archive of the account's documents, new or from an earlier call. */
async function archiveOf({ as, account, some, random }: Scene): Promise<string> {
  if (random() < 0.5) return some('archives')
  const { status, body } = await as.post(`/api/v1/accounts/${account}/files/action`, { action: 'archive', files: 'all' })
  if (status >= 300 || body.data === null) throw new NothingFits('archive')
  return body.data.id
}

const BULK: readonly ((document: string, property: string) => Record<string, unknown>)[] = [
  () => ({ action: 'archive', files: 'all' }),
  () => ({ action: 'document_list', files: 'all' }),
  (id) => ({ action: 'set_private', files: [id] }),
  (id) => ({ action: 'set_disclosed', files: [id] }),
  (id) => ({ action: 'set_sov', files: [id] }),
  (id) => ({ action: 'unset_sov', files: [id] }),
  (id, property) => ({ action: 'assign_properties', files: [id], input: { properties: [property], mode: 'add' } }),
  (id) => ({ action: 'set_values', files: [id], fields: { category: 'appraisal', report_author_date: '2026-01-31' } }),
  (id) => ({ action: 'restore_values', before: [{ id, category: 'other' }] }),
]

export const fittingUploads: Recipes = {
  'POST /accounts/:id/files/signed-url': async () => ({ body: { filePath: 'a.txt', size: 10 } }),
  'POST /accounts/:id/files/multipart': async () => ({ body: { filePath: 'a.txt', size: 10, contentType: 'text/plain' } }),
  'GET /accounts/:id/files/multipart/:upload_id': async (scene) => ({ params: { upload_id: (await sent(scene, NOTE)).upload_id } }),
  'POST /accounts/:id/files/multipart/:upload_id/part': async (scene) => ({
    params: { upload_id: (await started(scene, NOTE)).upload_id },
    body: { number: 1 },
  }),
  'POST /accounts/:id/files/multipart/:upload_id/complete': async (scene) => {
    const { upload_id, parts } = await sent(scene, NOTE)
    return { params: { upload_id }, body: { parts } }
  },
  'POST /accounts/:id/files/multipart/:upload_id/abort': async (scene) => ({
    params: { upload_id: (await (scene.random() < 0.5 ? started : sent)(scene, NOTE)).upload_id },
  }),
  'POST /account_files': async (scene) => ({ body: await registration(scene) }),
  'POST /accounts/:id/files/:file_id/versions': async (scene) => {
    const file_id = await documentOf(scene)
    const { status, body } = await scene.as.post('/api/v1/account_files', await registration(scene))
    if (status !== 201) throw new NothingFits('document')
    return { params: { file_id }, body: { from: body.data.id } }
  },
  'GET /accounts/:id/files/:file_id/versions': aboutDocument,
  'GET /accounts/:id/files/:file_id/versions/:number/preview': aboutVersion,
  'GET /accounts/:id/files/:file_id/versions/:number/sheet': aboutVersion,
  'GET /accounts/:id/files/:file_id/versions/:number/download': aboutVersion,
  'POST /accounts/:id/files/:file_id/versions/:number/current': aboutVersion,
  'GET /accounts/:id/files/:file_id': aboutDocument,
  'GET /accounts/:id/files/:file_id/preview': aboutDocument,
  'GET /accounts/:id/files/:file_id/details': aboutDocument,
  'PATCH /accounts/:id/files/:file_id': async (scene) => {
    const file_id = await documentOf(scene)
    const { version } = await dataOf(scene.as, `accounts/${scene.account}/files/${file_id}`)
    const change = pick(scene.random, [{ private: true }, { vanity_name: 'Another name' }, { category: 'other' }, { properties: [] }])
    return { params: { file_id }, body: { ...change, version } }
  },
  'DELETE /accounts/:id/files': async (scene) => ({ body: { ids: [await documentOf(scene)] } }),
  'POST /accounts/:id/files/action': async (scene) => {
    const make = pick(scene.random, BULK)
    return { body: make(await documentOf(scene), await scene.some(`account_properties?filter__account_id=${scene.account}`)) }
  },
  'DELETE /accounts/:id/archives/:file_id': async (scene) => ({ params: { file_id: await archiveOf(scene) } }),
  'DELETE /downloads/:id': async (scene) => ({ params: { id: await archiveOf(scene) } }),
  'POST /downloads/:id/again': async (scene) => ({ params: { id: await archiveOf(scene) } }),
  'POST /account_properties/:kind/download': async ({ some, random, account }) => {
    const id = await some(`account_properties?filter__account_id=${account}`)
    const ids = random() < 0.5 ? {} : { ids: [id] }
    return { params: { kind: pick(random, ['property-list', 'with-documents']) }, body: { account_id: account, ...ids } }
  },
  'GET /archives/:id/download': async (scene) => {
    const id = await archiveOf(scene)
    const { url } = await dataOf(scene.as, `accounts/${scene.account}/files/${id}`)
    if (typeof url !== 'string') throw new NothingFits('archive')
    return { path: url }
  },
}
