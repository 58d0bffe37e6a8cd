import { Outlet } from '@tanstack/react-router'
import { Datatable } from '#web/engines/datatable/datatable.tsx'
import { paths } from '#web/paths.ts'
import { usePageTitle } from '#web/ui/page-title.ts'

export function UsersPage() {
  usePageTitle('Users')
  return (
    <>
      <Datatable model="users" label="users" basePath={paths.users()} openIn="panel" createLabel="Add user" />
      <Outlet />
    </>
  )
}
