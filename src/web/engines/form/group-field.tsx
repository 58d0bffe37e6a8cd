import { ActionIcon, Button, Input } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useId, useState, type ComponentType, type ReactNode } from 'react'
import { sentenceCase } from '#contract/format.ts'
import { isWide, itemHeading, itemsIn, newItem, type FieldProps, type GroupItem } from './form-values.ts'
import classes from './form.module.css'

interface GroupFieldProps extends FieldProps {
  /** The input of a field of an item. */
  Input: ComponentType<FieldProps>
}

/** A list of items with the same fields, such as the recommendations of a report. Items that are stored are folded until they are opened. */
export function GroupField({ field, value, error, itemErrors = {}, onChange, currency, Input: ItemInput }: GroupFieldProps) {
  const items = itemsIn(value)
  const one = field.item?.one ?? 'item'
  const { keyOf, add, remove } = useItemKeys(items)
  const change = (at: number, name: string, changed: unknown) =>
    onChange(
      items.map((item, index) => (index === at ? { ...item, [name]: changed } : item)),
      `${String(at)}.${name}`,
    )
  return (
    <Input.Wrapper error={error} labelElement="div" role="group" aria-label={field.label}>
      <div className={classes['items']}>
        {items.length === 0 && <p className={classes['quiet']}>{`No ${field.label.toLowerCase()} yet.`}</p>}
        {items.map((item, index) => (
          <Item
            key={keyOf(item)}
            heading={itemHeading(field, item) || `New ${one}`}
            one={one}
            isNew={isNew(item)}
            hasError={Object.keys(itemErrors).some((path) => path.startsWith(`${String(index)}.`))}
            onRemove={() => {
              remove(item)
              onChange(items.filter((_, at) => at !== index))
            }}
          >
            {(field.fields ?? []).map((inner) => (
              <div key={inner.name} className={isWide(inner) ? classes['wide'] : undefined}>
                <ItemInput
                  field={inner}
                  value={item[inner.name]}
                  error={itemErrors[`${String(index)}.${inner.name}`]}
                  onChange={(changed) => change(index, inner.name, changed)}
                  currency={currency}
                />
              </div>
            ))}
          </Item>
        ))}
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={field.max !== undefined && items.length >= field.max}
          onClick={() => {
            add()
            onChange([...items, newItem(field)], String(items.length))
          }}
        >
          {`Add ${one}`}
        </Button>
      </div>
    </Input.Wrapper>
  )
}

const storedKey = ({ id, number }: GroupItem): string | undefined =>
  typeof id === 'string' ? id : typeof number === 'string' ? number : undefined
const isNew = (item: GroupItem): boolean => storedKey(item) === undefined

/** Items that are not stored yet have no identity of their own: each has a number from when it was added, so that it stays the same item. */
function useItemKeys(items: readonly GroupItem[]) {
  const added = items.filter(isNew)
  const [{ numbers, next }, setNumbers] = useState({ numbers: added.map((_, at) => at), next: added.length })
  return {
    keyOf: (item: GroupItem) => storedKey(item) ?? `new ${String(numbers[added.indexOf(item)] ?? `at ${String(added.indexOf(item))}`)}`,
    add: () => setNumbers({ numbers: [...numbers, next], next: next + 1 }),
    remove: (item: GroupItem) => setNumbers({ numbers: numbers.filter((_, at) => at !== added.indexOf(item)), next }),
  }
}

interface ItemProps {
  heading: string
  one: string
  isNew: boolean
  hasError: boolean
  onRemove: () => void
  children: ReactNode
}

function Item({ heading, one, isNew, hasError, onRemove, children }: ItemProps) {
  const [opened, setOpened] = useState(isNew)
  const content = useId()
  const isOpen = opened || hasError
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <div role="group" aria-label={`${sentenceCase(one)}: ${heading}`} className={classes['item']}>
      <div className={classes['itemHead']}>
        <button
          type="button"
          className={classes['itemToggle']}
          aria-expanded={isOpen}
          aria-controls={content}
          onClick={() => setOpened(!isOpen)}
        >
          <Chevron size={16} aria-hidden />
          <span>{heading}</span>
        </button>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={`Remove ${one}: ${heading}`} onClick={onRemove}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </div>
      <div id={content} hidden={!isOpen} className={classes['itemBody']}>
        <div className={classes['grid']}>{children}</div>
      </div>
    </div>
  )
}
