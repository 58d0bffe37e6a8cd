import { Button, Group, NativeSelect, Switch, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CHECK_NUMBERS, type CheckSettings } from '#contract/check-settings.ts'
import { CHECK_IDS, SEVERITY_LABELS, checkById, type CheckId, type CheckLevel } from '#contract/checks.ts'
import { companyCalls, type Company } from '#contract/companies.ts'
import { plural } from '#contract/format.ts'
import { PROPERTY_TYPES } from '#contract/property-vocabularies.ts'
import { api } from '#web/data/client.ts'
import { changedBy, isApiError } from '#web/data/errors.ts'
import { queries } from '#web/data/queries.ts'
import { useSession } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { useUnsavedChanges } from '#web/engines/panel/route-panel.tsx'
import { showError } from '#web/engines/show-error.ts'
import { Notice } from '#web/ui/notice.tsx'
import { PageCard } from '#web/ui/page-card.tsx'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { toast } from '#web/ui/toast.tsx'
import { BAND_TYPES, USUAL_VALUES, checkValues, levelsOf, parseCheckValues, pathOf, type CheckValues } from './check-values.ts'
import classes from './checks.module.css'

/** The rules by which the accounts of the company are reconciled. */
export function ChecksPanel() {
  const query = useQuery(queries.record('companies', useSession().auth_user.company.id))
  return (
    <PageCard
      title="Reconciliation Checks"
      help="These rules apply to all accounts of your company. After a change, every account is checked again."
      wide
    >
      <Loaded query={query} skeleton={<SkeletonRows rows={6} label="Loading the checks" />}>
        {(company) => <ChecksForm company={company} />}
      </Loaded>
    </PageCard>
  )
}

const LEVEL_LABELS: Readonly<Record<CheckLevel, string>> = { usual: 'Severity', raised: 'Serious cases', lesser: 'Minor cases' }
const differing = (values: CheckValues, others: CheckValues): number =>
  Object.keys(values).filter((path) => values[path] !== others[path]).length

/** The fields and their save. After a save of another user, the form shows the stored rules with this user's changes in it. */
function useChecks(company: Company) {
  const client = useQueryClient()
  const stored = checkValues(company.check_settings)
  const [edits, setEdits] = useState<CheckValues>({})
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [savedBy, setSavedBy] = useState<string | null>(null)
  const values = { ...stored, ...edits }
  const changes = differing(values, stored)
  const saving = useMutation({
    mutationFn: (check_settings: CheckSettings) =>
      api(companyCalls.update, { params: { id: company.id }, body: { check_settings, version: company.version } }),
    onSuccess: ({ data }) => {
      release()
      setEdits({})
      setSavedBy(null)
      client.setQueryData(queries.record('companies', company.id).queryKey, data)
      invalidateAfterWrite('companies', company.id)
      toast.success('The checks were saved. Your accounts are being checked again.')
    },
    onError: async (error) => {
      if (!isApiError(error) || error.kind !== 'conflict') return showError(error)
      setSavedBy(changedBy(error))
      return client.invalidateQueries({ queryKey: queries.record('companies', company.id).queryKey })
    },
  })
  const release = useUnsavedChanges(changes > 0, saving.isPending)
  const change = (patch: CheckValues) => {
    setEdits({ ...edits, ...patch })
    setErrors(
      Object.fromEntries(Object.entries(errors).filter(([path]) => Object.keys(patch).every((changed) => !changed.startsWith(path)))),
    )
  }
  const save = () => {
    const parsed = parseCheckValues(values)
    if ('settings' in parsed) return saving.mutate(parsed.settings)
    setErrors(parsed.errors)
    return undefined
  }
  return { values, errors, savedBy, changes, saving: saving.isPending, change, save, cancel: () => change(stored) }
}

type Checks = ReturnType<typeof useChecks>

function ChecksForm({ company }: { company: Company }) {
  const checks = useChecks(company)
  const { values, errors, savedBy, changes, saving, change, save, cancel } = checks
  const fromUsual = differing(values, USUAL_VALUES)
  return (
    <form
      noValidate
      aria-label="Reconciliation Checks"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <ul className={classes['checks']}>
        {CHECK_IDS.map((id) => (
          <CheckRow key={id} id={id} checks={checks} />
        ))}
      </ul>
      <Bands checks={checks} />
      {savedBy !== null && (
        <Notice kind="warning">{savedBy} changed the checks in the meantime. Your changes are still here; save again to apply them.</Notice>
      )}
      {Object.keys(errors).length > 0 && <Notice kind="warning">Please check the marked fields.</Notice>}
      <Group className={classes['foot'] ?? ''}>
        <Button type="submit" loading={saving} disabled={changes === 0}>
          Save Checks
        </Button>
        {changes > 0 && (
          <Button variant="default" onClick={cancel}>
            Discard {plural(changes, 'change')}
          </Button>
        )}
        {fromUsual > 0 && (
          <Button variant="subtle" onClick={() => change(USUAL_VALUES)}>
            Use the usual rules
          </Button>
        )}
      </Group>
    </form>
  )
}

/** One check: on or off, its severities, and the numbers of its rule. */
function CheckRow({ id, checks }: { id: CheckId; checks: Checks }) {
  const { values, change } = checks
  const { name, numbers } = checkById(id)
  const isOn = values[pathOf.enabled(id)] !== ''
  return (
    <li data-off={!isOn || undefined}>
      <Switch
        label={
          <>
            {name} <small>{isOn ? id : `${id}, turned off`}</small>
          </>
        }
        checked={isOn}
        onChange={(event) => change({ [pathOf.enabled(id)]: event.currentTarget.checked ? '1' : '' })}
      />
      <div className={classes['severities']}>
        {levelsOf(id).map((level) => (
          <label key={level}>
            {level !== 'usual' && <span>{LEVEL_LABELS[level]}</span>}
            <NativeSelect
              size="sm"
              aria-label={`${LEVEL_LABELS[level]} of ${name}`}
              data={Object.entries(SEVERITY_LABELS).map(([value, label]) => ({ value, label }))}
              value={values[pathOf.severity(id, level)]}
              disabled={!isOn}
              onChange={(event) => change({ [pathOf.severity(id, level)]: event.currentTarget.value })}
            />
          </label>
        ))}
      </div>
      <div className={classes['numbers']}>
        {numbers.map((number) => {
          const { label, unit } = CHECK_NUMBERS[number]
          return <NumberField key={number} label={label} unit={unit} path={pathOf.number(number)} disabled={!isOn} checks={checks} />
        })}
      </div>
    </li>
  )
}

interface NumberFieldProps {
  label: string
  unit: string
  path: string
  disabled?: boolean
  checks: Checks
}

/** Reads as a phrase: "Too old after 36 months". */
const NumberField = ({ label, unit, path, disabled = false, checks: { values, errors, change } }: NumberFieldProps) => (
  <label>
    <span>{label}</span>
    <TextInput
      size="sm"
      aria-label={label}
      inputMode="decimal"
      maxLength={20}
      value={values[path] ?? ''}
      error={errors[path]}
      disabled={disabled}
      onChange={(event) => change({ [path]: event.currentTarget.value })}
    />
    {unit !== '' && <span>{unit}</span>}
  </label>
)

/** The usual value per square foot of each property type, on demand. */
function Bands({ checks }: { checks: Checks }) {
  const [shown, setShown] = useState(false)
  const hasError = Object.keys(checks.errors).some((path) => path.startsWith('value_bands'))
  return (
    <section className={classes['bands']} aria-label="Usual building value per square foot">
      <Button variant="subtle" size="compact-sm" aria-expanded={shown || hasError} onClick={() => setShown(!shown)}>
        {shown ? 'Hide' : 'Show'} the usual building value per square foot
      </Button>
      {(shown || hasError) && (
        <ul>
          {BAND_TYPES.map((type) => (
            <li key={type}>
              <span>{PROPERTY_TYPES[type]}</span>
              {([0, 1] as const).map((end) => {
                const path = pathOf.band(type, end)
                const error = checks.errors[path] ?? (end === 1 ? checks.errors[`value_bands.${type}`] : undefined)
                return (
                  <TextInput
                    key={end}
                    size="sm"
                    aria-label={`${PROPERTY_TYPES[type]}, ${end === 0 ? 'from' : 'to'}, in US dollars per square foot`}
                    leftSection="$"
                    inputMode="decimal"
                    maxLength={20}
                    value={checks.values[path] ?? ''}
                    error={error}
                    onChange={(event) => checks.change({ [path]: event.currentTarget.value })}
                  />
                )
              })}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
