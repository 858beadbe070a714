import type { HistoryParts } from '../../record-tools/history/rules.ts'
import { affairLabels, districtLabels, memberLabels, sectionTitles } from './fields.ts'

export const affairHistory: HistoryParts = {
  charter_affair: {
    name: 'the charter affair',
    title: 'Charter affair',
    labels: { charter: 'Charter', ...sectionTitles },
    sections: affairLabels,
  },
  authorizer_board_member: {
    name: 'the board member',
    title: sectionTitles.authorizer_board_member,
    labels: memberLabels,
    titleFields: ['board_member_name'],
    isFreeText: true,
  },
  center_district: {
    name: 'the district',
    title: sectionTitles.center_district,
    labels: districtLabels,
    titleFields: ['center_name'],
    isFreeText: true,
  },
}
