function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/**
 * Stages that only read documents (MongoDB manual, "Aggregation Stages"). Left out: `$out` and `$merge`, which write, and those that
 * read something other than collections of the database, such as `$currentOp`.
 */
export const STAGES: ReadonlySet<string> = names(`
  $addFields $bucket $bucketAuto $count $densify $facet $fill $geoNear $graphLookup $group $limit $lookup $match $project $redact
  $replaceRoot $replaceWith $sample $search $set $setWindowFields $skip $sort $sortByCount $unionWith $unset $unwind $vectorSearch
`);

/** Stages that a change of documents may consist of. */
export const UPDATE_STAGES: ReadonlySet<string> = names(
  '$addFields $project $replaceRoot $replaceWith $set $unset',
);

export const UPDATE_OPERATORS: ReadonlySet<string> = names(`
  $addToSet $bit $currentDate $inc $max $min $mul $pop $pull $pullAll $push $rename $set $setOnInsert $unset
`);

/**
 * Names with `$` inside filters, expressions and changes: operators of the query language, of expressions and of accumulators that
 * compute from documents alone. Left out: `$where`, `$function` and `$accumulator`, which run JavaScript on the server, and every name
 * that is not known to be harmless.
 */
export const OPERATORS: ReadonlySet<string> = names(`
  $all $and $bitsAllClear $bitsAllSet $bitsAnyClear $bitsAnySet $comment $elemMatch $eq $exists $expr $gt $gte $in $jsonSchema $lt $lte
  $mod $ne $nin $nor $not $options $or $rand $regex $size $type
  $box $center $centerSphere $geoIntersects $geoWithin $geometry $maxDistance $minDistance $near $nearSphere $polygon
  $caseSensitive $diacriticSensitive $language $search $text
  $abs $acos $acosh $add $allElementsTrue $anyElementTrue $arrayElemAt $arrayToObject $asin $asinh $atan $atan2 $atanh $avg
  $binarySize $bitAnd $bitNot $bitOr $bitXor $bottom $bottomN $bsonSize $ceil $cmp $concat $concatArrays $cond $convert $cos $cosh
  $count $covariancePop $covarianceSamp $dateAdd $dateDiff $dateFromParts $dateFromString $dateSubtract $dateToParts $dateToString
  $dateTrunc $dayOfMonth $dayOfWeek $dayOfYear $degreesToRadians $denseRank $derivative $divide $documentNumber $exp $expMovingAvg
  $filter $first $firstN $floor $getField $hour $ifNull $indexOfArray $indexOfBytes $indexOfCP $integral $isArray $isNumber $isoDayOfWeek
  $isoWeek $isoWeekYear $last $lastN $let $linearFill $literal $ln $locf $log $log10 $ltrim $map $max $maxN $median $mergeObjects $meta
  $millisecond $min $minN $minute $minMaxScaler $month $multiply $objectToArray $percentile $pow $push $radiansToDegrees $range $rank
  $reduce $regexFind $regexFindAll $regexMatch $replaceAll $replaceOne $reverseArray $round $rtrim $second $setDifference $setEquals
  $setField $setIntersection $setIsSubset $setUnion $shift $sigmoid $sin $sinh $slice $sortArray $split $sqrt $stdDevPop $stdDevSamp
  $strLenBytes $strLenCP $strcasecmp $substr $substrBytes $substrCP $subtract $sum $switch $tan $tanh $toBool $toDate $toDecimal
  $toDouble $toHashedIndexKey $toInt $toLong $toLower $toObjectId $toString $toUpper $toUUID $top $topN $trim $trunc $tsIncrement
  $tsSecond $unsetField $week $year $zip
  $addToSet $each $position $sort
`);
