import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import type { Import } from '#contract/imports.ts'
import classes from './import-steps.module.css'

const STEPS = ['File', 'Sheet', 'Columns', 'Rows', 'Import'] as const

/** The five steps; done ones carry a check, the first open one is where attention belongs. */
export function ImportSteps({ data }: { data: Import }) {
  const done = stepsDone(data)
  return (
    <ol className={classes['steps']} aria-label="Steps of the import">
      {STEPS.map((step, index) => (
        <li key={step} className={classes['step']} data-done={index < done || undefined} aria-current={index === done ? 'step' : undefined}>
          <span className={classes['number']}>{index < done ? <IconCheck size={12} stroke={3} aria-label="Done:" /> : index + 1}</span>
          {step}
        </li>
      ))}
    </ol>
  )
}

function stepsDone(data: Import): number {
  if (data.state === 'uploaded') return 1
  if (data.header_row === null) return 1
  if (data.columns.some(({ state }) => state === 'confirm')) return 2
  if (data.state !== 'validated' || data.issues.some(({ severity }) => severity === 'error')) return 3
  return 4
}
