import { useLocation } from '@tanstack/react-router'
import { usePanelParam } from '#web/engines/panel/use-record-panel.ts'
import { paths } from '#web/paths.ts'

/** A user's panels stand over the list of users and over the list of companies (S1 2.1). */
export function useUserPlace() {
  const { pathname } = useLocation()
  const ownId = usePanelParam('id')
  const userId = usePanelParam('user_id')
  if (!pathname.startsWith('/companies/')) {
    return { id: ownId, listPath: paths.users(), editPath: paths.editUser(ownId), panelPath: (id: string) => paths.user(id) }
  }
  const panelPath = (id: string) => paths.companyUser(ownId, id)
  return { id: userId, listPath: paths.companies(), editPath: `${panelPath(userId)}/edit`, panelPath }
}
