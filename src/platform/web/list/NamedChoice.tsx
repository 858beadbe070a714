import { FilterChoice } from './Filters.tsx'

interface NamedChoiceProps {
  readonly label: string
  readonly all: string
  readonly choices: readonly { readonly value: string; readonly name: string }[]
  readonly chosen: string | undefined
  readonly onChoose: (value: string | undefined) => void
}

/** A filter whose value in the URL differs from its label. */
export const NamedChoice = ({ label, all, choices, chosen, onChoose }: NamedChoiceProps) => {
  const name = chosen === undefined ? undefined : (choices.find(({ value }) => value === chosen)?.name ?? chosen)
  return (
    <FilterChoice
      label={label}
      all={all}
      choices={choices.map((choice) => choice.name)}
      chosen={name}
      onChoose={(picked) => onChoose(choices.find((choice) => choice.name === picked)?.value)}
      remove={`Remove ${label.toLowerCase()} ${name}`}
    />
  )
}
