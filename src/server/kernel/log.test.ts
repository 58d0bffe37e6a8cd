import { expect, test } from 'vitest'
import { createLog } from './log.ts'

function logged(entry: object): string {
  let text = ''
  createLog({ level: 'info', destination: { write: (line) => void (text += line) } }).info(entry, 'Something happened')
  return text
}

test('writes an entry as one JSON line with level, time and message', () => {
  expect(JSON.parse(logged({ count: 3 }))).toMatchObject({
    level: 'info',
    count: 3,
    msg: 'Something happened',
    time: expect.stringMatching(/Z$/),
  })
})

test('hides credentials up to three levels deep', () => {
  const text = logged({
    password: 'pw-1',
    req: {
      headers: { authorization: 'Bearer pw-2', cookie: 'pw-3', 'set-cookie': 'pw-4', 'x-api-key': 'pw-5' },
      body: { code: 'pw-6', new_password: 'pw-7' },
    },
    session: { refresh_token: 'pw-8' },
  })
  expect(text).not.toMatch(/pw-\d/)
  expect(text).toContain('[hidden]')
})

test('logs the code of a database error without the offending values', () => {
  const error = Object.assign(new Error('duplicate key', { cause: new Error('socket closed') }), {
    code: '23505',
    constraint: 'users_email_key',
    detail: 'Key (email)=(ann@example.com) already exists.',
    client: { secretKey: 12345 },
  })
  const text = logged({ err: error })
  expect(JSON.parse(text).err).toMatchObject({
    message: 'duplicate key',
    error_code: '23505',
    constraint: 'users_email_key',
    cause: { message: 'socket closed' },
  })
  expect(text).not.toMatch(/ann@example|12345/)
})

test('logs the message and stack of an error that arrives as a plain object', () => {
  const error = new Error('pool is closed')
  const copied = { ...error, message: error.message, stack: error.stack, queue: 'send-mail' }
  expect(JSON.parse(logged({ err: copied })).err).toEqual({ type: 'Error', message: 'pool is closed', stack: error.stack })
})

test.each([
  [{ message: { reason: 'x' } }, 'An object without a message was thrown (reason)'],
  [new Error('[object Object]'), 'An object without a message was thrown'],
  [{ status: 500 }, 'An object without a message was thrown (status)'],
])('never logs "[object Object]" as the message', (err, message) => {
  expect(JSON.parse(logged({ err })).err.message).toBe(message)
})
