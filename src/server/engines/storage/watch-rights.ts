const CHECK_EVERY_MS = 1_000

/** Calls `requireRight` every second while bytes are on their way, and `stop` once with the error that it throws. Returns what ends the checks. */
export function watchRights(requireRight: () => Promise<void>, stop: (error: unknown) => void): () => void {
  let timer: NodeJS.Timeout | undefined
  let ended = false
  const next = () => {
    if (!ended) timer = setTimeout(check, CHECK_EVERY_MS)
  }
  const check = () => {
    requireRight().then(next, (error: unknown) => {
      if (!ended) stop(error)
    })
  }
  next()
  return () => {
    ended = true
    clearTimeout(timer)
  }
}
