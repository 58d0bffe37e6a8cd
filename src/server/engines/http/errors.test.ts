import fastify from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { answerError } from './errors.ts'

let thrown: unknown
const app = fastify()
app.setErrorHandler((error, request, reply) => answerError(error, request, reply))
app.get('/', async () => {
  throw thrown
})
afterAll(() => app.close())

const statusOf = async (error: unknown) => {
  thrown = error
  const { statusCode, headers } = await app.inject('/')
  return { status: statusCode, retryAfter: headers['retry-after'] !== undefined }
}
const withCode = (code: string) => Object.assign(new Error('something about the database'), { code })

describe('an error of the database', () => {
  test.each([
    new Error('Client has encountered a connection error and is not queryable'),
    new Error('Client was closed and is not queryable'),
    new Error('Connection terminated unexpectedly'),
    new Error('timeout expired'),
    withCode('57P03'),
    withCode('57P01'),
    withCode('55P03'),
    withCode('53100'),
    withCode('58030'),
    withCode('25006'),
    withCode('EHOSTUNREACH'),
    withCode('EAI_AGAIN'),
    new Error('The queue could not be read', { cause: withCode('57P01') }),
  ])('%s answers 503 with the time to wait', async (error) => {
    expect(await statusOf(error)).toEqual({ status: 503, retryAfter: true })
  })

  test.each(['53100', 'ENOSPC', 'EDQUOT'])('%s says that the disk is full, not that the database is gone', async (code) => {
    thrown = withCode(code)
    expect((await app.inject('/')).json()).toMatchObject({ kind: 'unavailable', message: expect.stringMatching(/^The disk is full/) })
  })

  test('after a deadlock answers 409', async () => {
    expect(await statusOf(withCode('40P01'))).toMatchObject({ status: 409 })
  })
})

test('an answer that does not match its schema is an error of the server, although its cause is one of a schema', async () => {
  const cause = z.string().safeParse(1).error
  expect(await statusOf(new Error('The answer does not match', { cause }))).toMatchObject({ status: 500 })
})
