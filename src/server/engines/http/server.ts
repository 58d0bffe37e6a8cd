import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify'
import helmet from 'helmet'
import { randomUUID } from 'node:crypto'
import { BODY_MAX_BYTES } from '#contract/limits.ts'
import { errorCode, invalid } from '#server/kernel/errors.ts'
import type { Config } from '#server/kernel/config.ts'
import type { Log } from '#server/kernel/log.ts'
import { compressResponses } from './compress.ts'
import { limitConnections } from './connection-limits.ts'
import { cutSlowBodies } from './connections.ts'
import { answerError, answerUnreadable } from './errors.ts'
import { routedUrl } from './page.ts'

const HEADERS_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 72_000
/** How often incomplete headers and idle connections are looked for. */
const CONNECTIONS_CHECK_MS = 2_000

/** Features of the browser that the page does not use, also denied to anything it embeds. */
const DENIED_FEATURES = [
  'accelerometer',
  'autoplay',
  'browsing-topics',
  'camera',
  'display-capture',
  'encrypted-media',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
]

/** Passkeys are used by the page itself, and by nothing that it embeds. */
const OWN_FEATURES = ['publickey-credentials-create', 'publickey-credentials-get']

const PERMISSIONS_POLICY = [
  ...DENIED_FEATURES.map((feature) => `${feature}=()`),
  ...OWN_FEATURES.map((feature) => `${feature}=(self)`),
].join(', ')

/** Bodies and answers are checked by the contract's own schemas, so the compilers of Fastify, some 170 modules, are not loaded. */
const NO_SCHEMAS = { buildValidator: rejectSchema, buildSerializer: rejectSchema }

function rejectSchema(): never {
  throw new Error('Routes have no JSON schema: declare the call in the contract.')
}

const logged = (request: FastifyRequest) => ({ method: request.method, route: request.routeOptions.url ?? 'none', id: request.id })

/** An HTTP server with limits, security headers and one error handler. app.ts mounts the routes. */
export async function createServer(config: Config, log: Log): Promise<FastifyInstance> {
  const logger: FastifyBaseLogger = log.child({}, { serializers: { req: logged } })
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy(config.trustProxy),
    bodyLimit: BODY_MAX_BYTES,
    genReqId: () => randomUUID(),
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket),
    schemaController: { compilersFactory: NO_SCHEMAS },
    rewriteUrl: routedUrl,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    http: { connectionsCheckingInterval: CONNECTIONS_CHECK_MS },
    keepAliveTimeout: KEEP_ALIVE_MS,
  })
  app.server.headersTimeout = HEADERS_TIMEOUT_MS
  limitConnections(app, log, config.trustProxy)
  // Built once: the plugin of Fastify would build these headers for each request.
  const secure = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: contentPolicy(config) },
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: config.appUrl.startsWith('https:') ? { maxAge: 31_536_000 } : false,
  })
  app.addHook('onRequest', (request, reply, done) => secure(request.raw, reply.raw, () => done()))
  compressResponses(app)
  cutSlowBodies(app)
  readJson(app)
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  app.addHook('onSend', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'permissions-policy': PERMISSIONS_POLICY })
  })
  app.addHook('onResponse', async (request, reply) => {
    const entry = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    }
    if (reply.statusCode >= 500) request.log.warn(entry, 'Response sent')
    else request.log.debug(entry, 'Response sent')
  })
  return app
}

/** Which proxies may set X-Forwarded-For: a number of hops, or addresses. */
function trustProxy(trusted: Config['trustProxy']): boolean | string | ((address: string, hop: number) => boolean) {
  return typeof trusted === 'number' ? (_address, hop) => hop < trusted : trusted
}

/** Images and data may come from the configured store and tile server, scripts from this server only. */
function contentPolicy(config: Config): Record<string, string[]> {
  const origins = [config.product.tileUrl, config.product.mapStyleUrl, storeOrigin(config.storageUrl)].flatMap((url) =>
    url === undefined ? [] : [new URL(url.replace(/[{}]/g, '')).origin],
  )
  return {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    workerSrc: ["'self'", 'blob:'],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:', ...origins],
    fontSrc: ["'self'"],
    connectSrc: ["'self'", ...origins],
    manifestSrc: ["'self'"],
    frameSrc: ["'self'", 'blob:'],
    formAction: ["'self'"],
    baseUri: ["'self'"],
    frameAncestors: ["'none'"],
  }
}

function storeOrigin(storageUrl: string | undefined): string | undefined {
  if (storageUrl === undefined) return undefined
  const url = new URL(storageUrl)
  return `${url.searchParams.get('tls') === 'false' ? 'http' : 'https'}://${url.host}`
}

/** Reads an empty body as an empty object, and rejects invalid UTF-8 instead of replacing it silently. */
function readJson(app: FastifyInstance): void {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      const text = utf8.decode(body as Buffer) // parseAs: 'buffer'
      done(null, text.trim() === '' ? {} : JSON.parse(text))
    } catch {
      done(invalid({ body: ['This is not valid JSON.'] }))
    }
  })
}

const LISTEN_PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  ['EADDRINUSE', 'is in use by another program'],
  ['EACCES', 'cannot be opened by this user'],
  ['EADDRNOTAVAIL', 'is not an address of this machine'],
])

/** Opens the port. Throws an error for the user when the port or address cannot be used. */
export async function listen(server: FastifyInstance, { port, host }: Pick<Config, 'port' | 'host'>): Promise<void> {
  try {
    await server.listen({ port, host })
  } catch (error) {
    const problem = LISTEN_PROBLEMS.get(errorCode(error))
    if (problem === undefined) throw error
    throw new Error(`Port ${port} on ${host} ${problem}. Set PORT or HOST to another value and start again.`, { cause: error })
  }
}
