import { area } from './area.ts';

/** Two configurations side by side, and taking one over. */
export const compare = area({
  from: { en: 'From', ja: '比較元', zh: '从' },
  to: { en: 'To', ja: '比較先', zh: '到' },
  choose: {
    en: 'Choose what is to be compared',
    ja: '比較する対象を選択してください',
    zh: '请选择要比较的内容',
  },
  chooseAbout: {
    en: 'Nothing is changed by looking. From now to a file is the dry run of an import.',
    ja: '表示するだけでは何も変更されません。「現在」と「ファイル」の比較はインポートのドライランです。',
    zh: '查看不会更改任何内容。从“当前”到“文件”相当于导入的试运行。',
  },
  theComparison: { en: 'the comparison', ja: '比較結果', zh: '比较结果' },
  noDifference: { en: 'No difference', ja: '差分なし', zh: '没有差异' },
  noDifferenceAbout: {
    en: 'Both say the same, secrets left aside.',
    ja: '秘密の値を除き、両者は同じです。',
    zh: '除保密值外，两者相同。',
  },
  differenceCount: {
    en: { one: '{number} difference', other: '{number} differences' },
    ja: '{number}件の差分',
    zh: '{number} 处差异',
  },
  differences: { en: 'Differences', ja: '差分', zh: '差异' },
  editFrom: { en: 'Edit from this version', ja: 'このバージョンから編集', zh: '基于此版本编辑' },
  takeOverMore: { en: 'Take over …', ja: '取り込む …', zh: '采用 …' },
  takeOverTitle: {
    en: { one: 'Take over {count} value', other: 'Take over {count} values' },
    ja: '{count}件の値を取り込む',
    zh: '采用 {count} 个值',
  },
  takeOverAbout: {
    en: 'One change, and new entries in the history. All of it is made, or nothing is.',
    ja: '1回の変更として行われ、履歴に記録されます。すべて適用されるか、まったく適用されません。',
    zh: '作为一次更改执行并记入历史。要么全部应用，要么全部不应用。',
  },
  nothingToChange: {
    en: 'No effect: there is nothing to change.',
    ja: '効果なし：変更するものはありません。',
    zh: '无效果：没有需要更改的内容。',
  },
  wouldBeRefused: { en: 'It would be refused: {why}', ja: '拒否されます：{why}', zh: '将被拒绝：{why}' },
  takingOverRefused: {
    en: 'Taking it over would be refused: {why}',
    ja: '取り込みは拒否されます：{why}',
    zh: '采用将被拒绝：{why}',
  },
  cannotTakeOver: { en: 'Cannot be taken over: {why}', ja: '取り込めません：{why}', zh: '无法采用：{why}' },
  noOwnValue: { en: '(no value of its own)', ja: '（固有の値なし）', zh: '（无单独设置的值）' },
  beforeFirst: {
    en: '{side}: before the first entry of the history',
    ja: '{side}：履歴の最初のエントリより前',
    zh: '{side}：历史第一条记录之前',
  },
  afterEntry: {
    en: '{side}: after entry {entry}',
    ja: '{side}：エントリ{entry}の後',
    zh: '{side}：第 {entry} 条记录之后',
  },
  afterEntryAt: {
    en: '{side}: after entry {entry} of {when}',
    ja: '{side}：エントリ{entry}（{when}）の後',
    zh: '{side}：第 {entry} 条记录（{when}）之后',
  },
  incomplete: {
    en: 'The history of that time is not whole any more: some values may be those of a later time.',
    ja: 'その時点の履歴は完全ではありません。一部の値は後の時点のものである可能性があります。',
    zh: '该时刻的历史已不完整：部分值可能来自之后的时间。',
  },
  notCompared: { en: '{side}: not compared', ja: '{side}：比較対象外', zh: '{side}：未比较' },
  'kind.now': { en: 'Now', ja: '現在', zh: '当前' },
  'kind.time': { en: 'At a time', ja: '日時を指定', zh: '指定时间' },
  'kind.entry': { en: 'After an entry of the history', ja: '履歴のエントリの後', zh: '某条历史记录之后' },
  'kind.file': { en: 'A file', ja: 'ファイル', zh: '文件' },
  'kind.defaults': { en: 'Defaults', ja: 'デフォルト', zh: '默认值' },
  numberOfEntry: { en: '{side}: number of the entry', ja: '{side}：エントリ番号', zh: '{side}：记录编号' },
  numberHint: { en: 'number, 0: before all', ja: '番号（0：最初より前）', zh: '编号，0 表示最初之前' },
  timeIn: { en: '{side}: time ({zone})', ja: '{side}：日時（{zone}）', zh: '{side}：时间（{zone}）' },
  exported: { en: '{side}: exported configuration', ja: '{side}：エクスポートした構成', zh: '{side}：导出的配置' },
  noConfiguration: {
    en: 'No exported configuration: {why}',
    ja: 'エクスポートした構成ではありません：{why}',
    zh: '不是导出的配置：{why}',
  },
  noJson: { en: 'No JSON: {why}', ja: 'JSONではありません：{why}', zh: '不是 JSON：{why}' },
});
