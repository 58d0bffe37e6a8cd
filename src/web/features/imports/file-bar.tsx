import { Button } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs'
import { useMutation } from '@tanstack/react-query'
import { formatDateTime } from '#contract/format.ts'
import { importCalls } from '#contract/import-calls.ts'
import type { Import } from '#contract/imports.ts'
import { api } from '#web/data/client.ts'
import { useSession } from '#web/data/session.ts'
import { showError } from '#web/engines/show-error.ts'
import { toast } from '#web/ui/toast.tsx'
import classes from './file-bar.module.css'
import { invalidateAfterImport } from './use-import.ts'

/** The file and how far its import is. */
export function FileBar({ data }: { data: Import }) {
  const zone = useSession().auth_user.company.timezone
  const cancel = useMutation({
    mutationFn: () => api(importCalls.cancel, { params: { id: data.id } }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => showError(error),
    onSettled: () => invalidateAfterImport(data.account_id),
  })
  return (
    <header className={classes['bar']}>
      <IconFileSpreadsheet size={20} className={classes['icon']} aria-hidden />
      <h2 className={classes['name']} title={data.file_name}>
        {data.file_name}
      </h2>
      <span className={classes['time']}>{formatDateTime(data.created_at, zone)}</span>
      <Steps data={data} />
      <Button variant="subtle" color="gray" size="compact-md" disabled={data.activity === 'committing'} onClick={() => cancel.mutate()}>
        Cancel import
      </Button>
    </header>
  )
}

const STEPS = ['File', 'Sheets', 'Columns', 'Rows', 'Import'] as const

/** The steps of the import. The current one is the first that needs attention. */
function Steps({ data }: { data: Import }) {
  const done = stepsDone(data)
  return (
    <ol className={classes['steps']} aria-label="Steps of the import">
      {STEPS.map((step, index) => (
        <li key={step} className={classes['step']} data-done={index < done || undefined} aria-current={index === done ? 'step' : undefined}>
          {index < done && <IconCheck size={15} stroke={2.5} aria-label="Done:" />}
          {index === done && <span className={classes['number']}>{index + 1}</span>}
          {step}
        </li>
      ))}
    </ol>
  )
}

function stepsDone({ state, activity, header_row, open, counts }: Import): number {
  if (state === 'uploaded' || header_row === null) return 1
  if (open.columns > 0) return 2
  const isSettled = open.answers + open.decisions + (counts.errors ?? 0) === 0
  return state === 'validated' && activity === null && isSettled ? 4 : 3
}
