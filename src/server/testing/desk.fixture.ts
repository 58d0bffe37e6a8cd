import { afterAll, beforeAll, beforeEach } from 'vitest'
import { testApp, type TestApp } from './app.ts'
import { openDesk, type Desk } from './factories/import-flow.ts'

/** The product with a worker for all tests of the file, and a broker with an account of their own for each test. */
export function deskForEachTest(): Readonly<Desk> {
  let app: TestApp | undefined
  let desk: Desk | undefined
  beforeAll(async () => {
    app = await testApp({ worker: true })
  })
  afterAll(() => app?.stop())
  beforeEach(async () => {
    desk = app && (await openDesk(app))
  })
  const opened = (): Desk => {
    if (desk === undefined) throw new Error('The desk opens before each test')
    return desk
  }
  return {
    get app() {
      return opened().app
    },
    get userId() {
      return opened().userId
    },
    get accountId() {
      return opened().accountId
    },
  }
}
