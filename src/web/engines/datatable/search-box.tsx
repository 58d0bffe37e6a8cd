import { CloseButton, TextInput } from '@mantine/core'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useEffect, useRef, useState } from 'react'
import { SEARCH_MAX_CHARACTERS, TABLE_SEARCH_DEBOUNCE_MS } from '#contract/limits.ts'

interface SearchBoxProps {
  label: string
  value: string
  onSearch: (search: string) => void
}

/** Waits until typing has paused; Enter searches at once. */
export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setText(value)
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  const send = (next: string) => {
    clearTimeout(timer.current)
    const trimmed = next.trim()
    if (trimmed === sent.current) return
    sent.current = trimmed
    onSearch(trimmed)
  }
  const type = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => send(next), TABLE_SEARCH_DEBOUNCE_MS)
  }
  const clear = () => {
    setText('')
    send('')
  }
  return (
    <TextInput
      type="search"
      size="sm"
      aria-label={`Search ${label}`}
      placeholder="Search"
      value={text}
      maxLength={SEARCH_MAX_CHARACTERS}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text === '' ? null : <CloseButton size="sm" aria-label="Clear search" onClick={clear} />}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && send(text)}
    />
  )
}
