import { TextInput } from '@mantine/core'

interface DayInputProps {
  readonly label?: string
  readonly value: string
  readonly today: string
  readonly onChange: (day: string) => void
}

/** The day from which a change applies: today, or a later day for which it is planned. */
export const DayInput = ({ label = 'Effective date', value, today, onChange }: DayInputProps) => (
  <TextInput
    label={label}
    required
    type="date"
    min={today}
    max="2199-12-31"
    value={value}
    error={value < today ? 'Choose today or a later day' : null}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)
