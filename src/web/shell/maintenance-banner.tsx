import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { maintenanceQuery } from '#web/data/maintenance.ts'
import { productName } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { Notice } from '#web/ui/notice.tsx'
import classes from './shell.module.css'

/** Reminds those who can end the maintenance that everyone else is shut out. */
export function MaintenanceBanner() {
  const { data } = useQuery(maintenanceQuery)
  if (!data) return null
  return (
    <div className={classes['banner']}>
      <Notice kind="warning" title={`${productName()} is in maintenance`}>
        Other users cannot work until it ends.{' '}
        <Anchor component={Link} to={paths.settings()} inherit c="inherit" underline="always">
          Open the settings
        </Anchor>
      </Notice>
    </div>
  )
}
