import { useQuery } from '@tanstack/react-query'
import { accountQueries } from './account-queries.ts'
import { useCan, useIsGuest, useSession } from './session.ts'

interface ChatLink {
  href: string
  target?: '_blank'
  title?: string
}

/**
 * What “Live Chat” opens: the configured chat, else a mail to support, else a report to the administrators, else, for visitors who cannot
 * report problems, a mail to the sender of their link. Undefined if there is none.
 */
export function useLiveChat(): ChatLink | 'report' | undefined {
  const { chat_url: chat, support_email: support } = useSession().config
  const mayReport = useCan()('view_help_request')
  const asksSender = useIsGuest() && chat === '' && support === '' && !mayReport
  const { data: sender } = useQuery({ ...accountQueries.inviting(), enabled: asksSender })
  if (chat !== '') return { href: chat, target: '_blank' }
  if (support !== '') return { href: `mailto:${support}` }
  if (mayReport) return 'report'
  return asksSender && sender?.email ? { href: `mailto:${sender.email}`, title: `Email to ${sender.full_name}` } : undefined
}
