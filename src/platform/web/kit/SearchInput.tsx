import { TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { Ref } from 'react'

import type { ListSearch } from '../list/use-list-search.ts'

interface SearchInputProps extends Pick<TextInputProps, 'label' | 'placeholder' | 'type' | 'onKeyDown'> {
  field?: Ref<HTMLInputElement>
  search: ListSearch
}

/** A labeled field that searches while the user types. */
export const SearchInput = ({ field, search, ...input }: SearchInputProps) => (
  <TextInput
    {...input}
    ref={field}
    inputMode="search"
    autoComplete="off"
    spellCheck={false}
    leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
    value={search.text}
    onChange={({ currentTarget: { value } }) => search.setText(value)}
    onFocus={search.handleFocus}
    onBlur={search.handleBlur}
  />
)
