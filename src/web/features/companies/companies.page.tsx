import { Outlet } from '@tanstack/react-router'
import { Datatable } from '#web/engines/datatable/datatable.tsx'
import { paths } from '#web/paths.ts'
import { usePageTitle } from '#web/ui/page-title.ts'

export function CompaniesPage() {
  usePageTitle('Companies')
  return (
    <>
      <Datatable model="companies" label="companies" basePath={paths.companies()} openIn="panel" createLabel="Add company" />
      <Outlet />
    </>
  )
}
