import { useNavigate, useParams } from '@tanstack/react-router'

/** A param of the panel's own address; '' when the address has none of that name. */
export function usePanelParam(name: string): string {
  const params: Readonly<Record<string, unknown>> = useParams({ strict: false })
  const value = params[name]
  return typeof value === 'string' ? value : ''
}

/** Goes to another panel over the same page, which keeps what was set there. */
export function useOpenPanel(): (to: string) => void {
  const navigate = useNavigate()
  return (to) => void navigate({ to, search: true, resetScroll: false })
}
