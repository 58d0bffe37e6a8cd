import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileCalls } from '#contract/account-files.ts'
import { accountWithFiles, filesOnDisk } from './archive-files.ts'
import { resumedDigest } from './archive-resume.ts'
import type { Effort } from './stage.ts'
import {
  alternate,
  limitFigure,
  median,
  megabytes,
  milliseconds,
  percentile,
  ratioFigure,
  seconds,
  type Line,
  type Round,
} from './figures.ts'
import { load } from './load.ts'
import { hasProgram, ROOT, runProgram, startBareFile } from './processes.ts'
import { watch, type Watched } from './sampling.ts'
import { openStage, type Stage } from './stage.ts'

const READY_AT_MOST_S = 1
const TO_DISK_AT_MOST = 0.3
const MEMORY_AT_MOST_BYTES = 80 * 1024 ** 2
const SLOWER_AT_MOST = 2
const CUTS = 5
const RECEIVER = join(ROOT, 'bench/receive.ts')
const LOOK_EVERY_MS = 20

/** All documents of an account as one archive, compared with `zip -0` of the same files. */
export async function measureArchive(effort: Effort): Promise<Line[]> {
  for (const program of ['zip', 'curl'])
    if (!(await hasProgram(program))) return [{ what: 'archive', skipped: `there is no ${program} on this machine` }]
  const stage = await openStage(effort.lists)
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-bench-'))
  try {
    const account = await accountWithFiles(stage, effort.archive)
    return await takeArchive(stage, account, folder, effort)
  } finally {
    await rm(folder, { recursive: true })
    await stage.close()
  }
}

interface Archive {
  readySeconds: number
  /** A new link; links expire after minutes. */
  link: () => Promise<string>
}

async function makeArchive(stage: Stage, accountId: string): Promise<Archive> {
  const begun = performance.now()
  const { data } = await stage.broker(fileCalls.fileAction, { params: { id: accountId }, body: { action: 'archive', files: 'all' } })
  const params = { id: accountId, file_id: data?.id ?? '' }
  const look = async () => (await stage.broker(fileCalls.show, { params })).data
  for (;;) {
    const { status } = await look()
    if (status === 'accessible') break
    if (status === 'failed') throw new Error('The archive failed')
    await pause(LOOK_EVERY_MS)
  }
  const readySeconds = (performance.now() - begun) / 1_000
  return { readySeconds, link: async () => new URL((await look()).url ?? '', stage.product.address).href }
}

/** Pending disk writes of the previous run would slow down the next one. */
const settle = () => runProgram('sync', [])

/** Seconds in which a program makes a file, which is then removed. */
async function timeToMake(made: string, [program = '', ...options]: readonly string[], input: string): Promise<number> {
  await settle()
  const begun = performance.now()
  await runProgram(program, options, { input })
  const taken = (performance.now() - begun) / 1_000
  await rm(made)
  return taken
}

async function takeArchive(stage: Stage, accountId: string, folder: string, effort: Effort): Promise<Line[]> {
  const what = `archive of ${effort.archive.files.toLocaleString('en-US')} files, ${megabytes(effort.archive.bytes)}`
  const archive = await makeArchive(stage, accountId)
  const ready = median([
    archive.readySeconds,
    (await makeArchive(stage, accountId)).readySeconds,
    (await makeArchive(stage, accountId)).readySeconds,
  ])
  const file = join(folder, 'product.zip')
  const list = (await filesOnDisk(stage, accountId)).join('\n')
  const downloads: Watched<string>[] = []
  const download = async () => {
    // Replacing the file of the previous run would be part of the time.
    await rm(file, { force: true })
    await settle()
    const url = await archive.link()
    const watched = await watch(stage.product, () => runProgram(process.execPath, [RECEIVER, url, file]))
    downloads.push(watched)
    return watched.seconds
  }
  const made = join(folder, 'yardstick.zip')
  const zip = () => timeToMake(made, ['zip', '-0', '-q', '-@', made], list)
  // Reading and writing the same bytes, which no archive can do without.
  const copy = () => timeToMake(made, ['sh', '-c', 'exec xargs cat > "$0"', made], list)
  const rounds = await alternate(effort.archive.rounds, download, zip)
  const copies = await alternate(effort.archive.rounds, download, copy)
  const curls = await takenByCurl(archive, folder, file, effort.archive.rounds)
  const whole = await digestOf(file)
  const tested = await runProgram('zip', ['-T', file]).then(
    () => true,
    () => false,
  )
  const resumed = await resumedDigest(await archive.link(), CUTS)
  return [
    limitFigure(`${what}: request to accessible`, ready, READY_AT_MOST_S, seconds),
    ratioFigure({ what: `${what}: to disk`, rounds, unit: seconds, yardstick: 'zip -0', atMost: TO_DISK_AT_MOST }),
    ratioFigure({ what: `${what}: to disk`, rounds: copies, unit: seconds, yardstick: 'cat of the same files' }),
    ratioFigure({ what: `${what}: to disk by curl`, rounds: curls, unit: seconds, yardstick: 'curl of it as a finished file' }),
    limitFigure(
      'memory grown by the download',
      Math.max(...downloads.map(({ grownBytes }) => grownBytes)),
      MEMORY_AT_MOST_BYTES,
      megabytes,
    ),
    await others(stage, archive, join(folder, 'again.zip'), effort.archive.rounds),
    { what: 'the archive passes zip -T', measured: tested ? 'yes' : 'no', goal: 'yes', ok: tested },
    {
      what: `download cut ${CUTS} times at random bytes and resumed`,
      measured: resumed === whole ? 'identical' : 'differs',
      goal: 'identical',
      ok: resumed === whole,
    },
  ]
}

/** What curl needs for the archive, and for the same bytes from a server that does nothing but send them. */
async function takenByCurl(archive: Archive, folder: string, finished: string, rounds: number): Promise<Round[]> {
  const bare = await startBareFile(finished)
  const made = join(folder, 'curl.zip')
  const curl = (url: string) => timeToMake(made, ['curl', '-sSf', '-o', made, url], '')
  try {
    return await alternate(
      rounds,
      async () => curl(await archive.link()),
      () => curl(bare.address),
    )
  } finally {
    await bare.stop()
  }
}

let serial = 0

/** Response time of an uncached list during a download of the archive and without one. */
async function others(stage: Stage, archive: Archive, file: string, rounds: number): Promise<Line> {
  const p95 = async (until: Promise<unknown> | undefined) => {
    const state = { over: false }
    void until?.finally(() => (state.over = true))
    const waits: number[] = []
    for (let asked = 0; until === undefined ? asked < 8 : !state.over; asked += 1) waits.push(...(await askLists(stage)))
    return percentile(waits, 95)
  }
  await askLists(stage)
  const taken = await alternate(
    rounds,
    async () => p95(runProgram('curl', ['-sSf', '-o', file, await archive.link()])),
    () => p95(undefined),
  )
  return ratioFigure({
    what: 'p95 of a list while an archive is downloaded',
    rounds: taken,
    unit: milliseconds,
    yardstick: 'p95 in quiet',
    atMost: SLOWER_AT_MOST,
  })
}

const askLists = async ({ product, brokerToken }: Stage): Promise<number[]> =>
  (
    await load({
      address: product.address,
      connections: 1,
      seconds: 0.25,
      request: () => ({
        path: `/api/v1/accounts?sort=updated_at&order=desc&filter__unheard_of=a${(serial += 1)}`,
        headers: { authorization: `Bearer ${brokerToken}` },
      }),
    })
  ).latencies

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
