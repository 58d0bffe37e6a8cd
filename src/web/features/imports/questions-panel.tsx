import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import type { Import } from '#contract/imports.ts'
import { Notice } from '#web/ui/notice.tsx'
import type { Patch } from './use-import.ts'

/** The answers besides the suggested one, in words; the values are those of the import's constants. */
const ANSWERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  factor: { 1: 'No, as written', 1_000: 'In thousands', 1_000_000: 'In millions' },
  date_order: { mdy: 'Month first', dmy: 'No, day first' },
  area_unit: { sqft: 'Square feet', m2: 'Square metres' },
  construction_scheme: { words: 'Words', iso: 'ISO classes', oed: 'OED codes', air: 'AIR codes', rms: 'RMS codes' },
  occupancy_scheme: { words: 'Words', oed: 'OED codes', air: 'AIR codes', hazus: 'HAZUS codes', atc: 'ATC codes' },
}

/** What only a person can say about the file: the suggested answer in one click, the others beside it. */
export function QuestionsPanel({ data, onPatch }: { data: Import; onPatch: (patch: Patch) => void }) {
  const answer = (constant: string, value: string) => onPatch({ constants: { ...data.constants, [constant]: value } })
  return (
    <Stack gap="xs">
      {data.questions.map(({ constant, suggestion, message }) => {
        const others = Object.entries(ANSWERS[constant] ?? {}).filter(([value]) => value !== suggestion)
        return (
          <Notice key={constant} kind="info">
            <Text size="sm">{message}</Text>
            <Group gap="xs" mt={8}>
              <Button size="compact-md" variant="default" onClick={() => answer(constant, suggestion)}>
                Yes
              </Button>
              {others.length > 0 && (
                <NativeSelect
                  size="xs"
                  aria-label={`Another answer to: ${message}`}
                  value=""
                  onChange={(event) => event.currentTarget.value !== '' && answer(constant, event.currentTarget.value)}
                  data={[{ value: '', label: 'Another answer' }, ...others.map(([value, label]) => ({ value, label }))]}
                />
              )}
            </Group>
          </Notice>
        )
      })}
    </Stack>
  )
}
