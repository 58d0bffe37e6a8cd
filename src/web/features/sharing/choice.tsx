import { Radio, Stack } from '@mantine/core'
import { codesOf } from '#contract/code-lists.ts'

interface ChoiceProps<K extends string> {
  label: string
  options: Readonly<Record<K, string>>
  value: K
  onChange: (value: K) => void
}

/** One of a few options, each with a radio button. */
export function Choice<K extends string>({ label, options, value, onChange }: ChoiceProps<K>) {
  const codes = codesOf(options)
  const choose = (next: string) => {
    const code = codes.find((one) => one === next)
    if (code !== undefined) onChange(code)
  }
  return (
    <Radio.Group label={label} value={value} onChange={choose}>
      <Stack gap={6} mt={6}>
        {codes.map((code) => (
          <Radio key={code} value={code} label={options[code]} />
        ))}
      </Stack>
    </Radio.Group>
  )
}
