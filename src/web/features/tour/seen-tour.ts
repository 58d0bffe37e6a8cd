const NAME = 'seen_tour'
const YEAR_SECONDS = 31_536_000

export const hasSeenTour = (): boolean => document.cookie.split('; ').some((cookie) => cookie.startsWith(`${NAME}=`))

export function rememberTour(): void {
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API needs HTTPS
  document.cookie = `${NAME}=1; Max-Age=${YEAR_SECONDS}; SameSite=Lax; Path=/`
}
