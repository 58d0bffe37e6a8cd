import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { escapeHtml } from '#server/kernel/html.ts'

const SERVER_PATHS = /^\/(api|storage|socket\.io|assets|healthz|readyz|metrics)(\/|$|\?)/
const BUILT_NAME = 'Plumbline'

/** Answers a path of the page's own router; undefined for other paths. */
export type AnswerPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

/** Serves the built page. All paths of the page's own router answer its one document, with the product's name in it. */
export async function servePage(app: FastifyInstance, folder: string, productName: string): Promise<AnswerPage> {
  if (!existsSync(join(folder, 'index.html'))) return () => undefined
  const document = (await readFile(join(folder, 'index.html'), 'utf8'))
    .replaceAll(`>${BUILT_NAME}<`, `>${escapeHtml(productName)}<`)
    .replaceAll(`"${BUILT_NAME}"`, `"${escapeHtml(productName)}"`)
  const answer: AnswerPage = (_request, reply) => reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(document)
  app.get('/', (request, reply) => answer(request, reply))
  app.get('/index.html', (request, reply) => answer(request, reply))
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    globIgnore: ['index.html'],
    preCompressed: true,
    setHeaders: (reply, path) => {
      void reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  return (request, reply) => (SERVER_PATHS.test(request.url) ? undefined : answer(request, reply))
}
