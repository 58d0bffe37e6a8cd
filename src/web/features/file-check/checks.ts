import { useCallback, useEffect, useRef, useState } from 'react'
import { messageOf } from '#web/data/errors.ts'
import { statesInBatches } from './ask-states.ts'
import { checkFile, withListed, type Verdict } from './check-file.ts'
import { UnreadableFile } from './hash-in-worker.ts'
import { listedFiles, type ListedFile, type PresentFile } from './manifest.ts'

export interface CheckedFile {
  id: number
  file: File
  outcome:
    | { is: 'waiting' }
    | { is: 'reading'; percent: number }
    | { is: 'asking' }
    | { is: 'done'; verdict: Verdict; manifest: ListedFile[] | undefined }
    | { is: 'failed'; message: string }
}

export const isManifest = ({ outcome }: CheckedFile): boolean => outcome.is === 'done' && outcome.manifest !== undefined

/** The files that were checked, except this one, and those in archives. */
export const presentFiles = (checks: readonly CheckedFile[], except: number): PresentFile[] =>
  checks.flatMap(({ id, file, outcome }) => {
    if (outcome.is !== 'done' || id === except) return []
    const { checksum, members } = outcome.verdict
    return [{ name: file.name, checksum }, ...members.map(({ path, checksum: sum }) => ({ name: path, checksum: sum }))]
  })

const UNREADABLE = 'Your browser cannot read this file. It may have been moved or changed after you chose it. Choose it again.'

/** The files that were dropped on the page, the latest ones first. They are read one after the other, because each is read from the same disk. */
export function useChecks() {
  const [checks, setChecks] = useState<CheckedFile[]>([])
  const lastId = useRef(0)
  const running = useRef(new Map<number, AbortController>())
  const [ask] = useState(statesInBatches)
  const change = useCallback(
    (id: number, outcome: CheckedFile['outcome']) =>
      setChecks((now) => now.map((check) => (check.id === id ? { ...check, outcome } : check))),
    [],
  )

  const next = checks.some(({ outcome }) => outcome.is === 'reading') ? undefined : checks.find(({ outcome }) => outcome.is === 'waiting')
  useEffect(() => {
    if (next === undefined || running.current.has(next.id)) return
    const { id, file } = next
    const abort = new AbortController()
    running.current.set(id, abort)
    change(id, { is: 'reading', percent: 0 })
    const onProgress = (bytes: number) => change(id, { is: 'reading', percent: (100 * bytes) / file.size })
    const onRead = () => change(id, { is: 'asking' })
    void Promise.all([checkFile(file, { ask, onProgress, onRead, signal: abort.signal }), listedFiles(file)])
      .then(async ([verdict, manifest]) => ({
        manifest,
        verdict: manifest === undefined ? verdict : await withListed(verdict, manifest, ask),
      }))
      .then(
        (done) => change(id, { is: 'done', ...done }),
        (error: unknown) => {
          if (abort.signal.aborted) return
          change(id, { is: 'failed', message: error instanceof UnreadableFile ? UNREADABLE : messageOf(error) })
        },
      )
      .finally(() => running.current.delete(id))
  }, [next, change, ask])
  useEffect(() => {
    const started = running.current
    return () => started.forEach((abort) => abort.abort())
  }, [])

  const remove = useCallback((id: number) => {
    running.current.get(id)?.abort()
    setChecks((now) => now.filter((check) => check.id !== id))
  }, [])
  const retry = useCallback((id: number) => change(id, { is: 'waiting' }), [change])

  return {
    checks,
    add: (files: readonly File[]) => {
      const added = files.map((file): CheckedFile => ({ id: (lastId.current += 1), file, outcome: { is: 'waiting' } }))
      setChecks((now) => [...added, ...now])
    },
    remove,
    retry,
  }
}
