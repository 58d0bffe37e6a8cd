import { Checkbox, Input, TextInput } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useId, useState, type ReactNode } from 'react'
import { formatNumber } from '#contract/format.ts'
import type { FormField } from '#contract/form.ts'
import classes from './grouped-choices.module.css'

type Option = NonNullable<FormField['options']>[number]

interface GroupedChoicesProps {
  field: FormField
  value: readonly string[]
  error: ReactNode
  onChange: (value: string[]) => void
}

// The groups are long: an error below them would be out of view.
const ORDER: ('label' | 'error' | 'input')[] = ['label', 'error', 'input']
const GROUP = { role: 'group', labelElement: 'div', size: 'md', inputWrapperOrder: ORDER } as const

/** Many choices as check boxes in groups, which open one by one; typing finds choices by their name and group. */
export function GroupedChoices({
  field: { name, label, options = [], required, disabled = false },
  value,
  error,
  onChange,
}: GroupedChoicesProps) {
  const [typed, setTyped] = useState('')
  const search = typed.trim().toLowerCase()
  const groups = Map.groupBy(options, ({ group = 'Others' }) => group)
  const found = [...groups].flatMap(([group, all]) => {
    const shown = all.filter((option) => `${group} ${option.label}`.toLowerCase().includes(search))
    return shown.length === 0 ? [] : [{ group, all, shown }]
  })
  const chosen = new Set(value)
  const set = (changed: readonly Option[], checked: boolean) => {
    const names = new Set(changed.map((option) => option.value))
    onChange([...value.filter((one) => !names.has(one)), ...(checked ? names : [])])
  }
  const count = `${formatNumber(options.filter((option) => chosen.has(option.value)).length)} of ${formatNumber(options.length)}`
  return (
    <Input.Wrapper {...GROUP} label={label} withAsterisk={required} error={error} aria-label={label}>
      <div className={classes['tools']}>
        <TextInput
          type="search"
          size="md"
          name={name}
          className={classes['search'] ?? ''}
          aria-label={`Search ${label.toLowerCase()}`}
          placeholder="Search"
          value={typed}
          leftSection={<IconSearch size={16} aria-hidden />}
          error={Boolean(error)}
          onChange={(event) => setTyped(event.currentTarget.value)}
          // The form would be sent.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
        <span className={classes['count']} role="status">
          {count}
        </span>
      </div>
      <div className={classes['groups']}>
        {found.map(({ group, all, shown }) => (
          <Group
            key={group}
            name={group}
            all={all}
            shown={shown}
            chosen={chosen}
            disabled={disabled}
            forceOpen={search !== ''}
            onSet={set}
          />
        ))}
        {found.length === 0 && <p className={classes['none']}>No results found.</p>}
      </div>
    </Input.Wrapper>
  )
}

interface GroupProps {
  name: string
  all: readonly Option[]
  /** Those that match the search. */
  shown: readonly Option[]
  chosen: ReadonlySet<string>
  disabled: boolean
  forceOpen: boolean
  onSet: (options: readonly Option[], checked: boolean) => void
}

function Group({ name, all, shown, chosen, disabled, forceOpen, onSet }: GroupProps) {
  const [opened, setOpened] = useState(false)
  const content = useId()
  const open = opened || forceOpen
  const checked = all.filter(({ value }) => chosen.has(value)).length
  const shownChecked = shown.filter(({ value }) => chosen.has(value)).length
  const isPart = shown.length < all.length
  const Chevron = open ? IconChevronDown : IconChevronRight
  return (
    <div className={classes['group']}>
      <div className={classes['head']}>
        <button type="button" className={classes['toggle']} aria-expanded={open} aria-controls={content} onClick={() => setOpened(!open)}>
          <Chevron size={16} aria-hidden />
          <span>{name}</span>{' '}
          <span className={classes['count']}>
            {checked} of {all.length}
          </span>
        </button>
        <Checkbox
          label={isPart ? 'All found' : 'All'}
          aria-label={isPart ? `All found of ${name}` : `All of ${name}`}
          disabled={disabled}
          checked={shownChecked === shown.length}
          indeterminate={shownChecked > 0 && shownChecked < shown.length}
          // A choice that the search hides must not be made unseen.
          onChange={(event) => onSet(shown, event.currentTarget.checked)}
        />
      </div>
      <div id={content} className={classes['choices']} hidden={!open}>
        {open &&
          shown.map((option) => (
            <Checkbox
              key={option.value}
              label={option.label}
              disabled={disabled}
              checked={chosen.has(option.value)}
              onChange={(event) => onSet([option], event.currentTarget.checked)}
            />
          ))}
      </div>
    </div>
  )
}
