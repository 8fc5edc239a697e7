/// A date and time of day in the Gregorian calendar in UTC, convertible to and from seconds.
package struct CivilDate: Equatable {
    var year: Int64
    /// The month, 1…12.
    var month: Int64
    var day: Int64
    package var hour: Int64
    package var minute: Int64
    package var second: Int64

    /// The time in seconds; nil if there is no such day or time. A leap second counts as the next second.
    package var seconds: UnixSeconds? {
        guard (1...9999).contains(year), (1...12).contains(month), (1...daysInMonth).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        return UnixSeconds(((dayNumber * 24 + hour) * 60 + minute) * 60 + second)
    }

    /// Creates the date of a time between the years 1 and 9999; other times are clamped.
    package init(_ moment: UnixSeconds) {
        let clamped = min(max(moment.value, -62_135_596_800), 253_402_300_799)
        let (days, rest) = clamped.flooredDivision(by: 86_400)
        hour = rest / 3600
        minute = rest / 60 % 60
        second = rest % 60
        // Days are counted from 1 March of year 0, so that leap days end a year.
        let shifted = days + 719_468
        let (era, dayOfEra) = shifted.flooredDivision(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    package init(
        year: Int64, month: Int64, day: Int64, hour: Int64 = 0, minute: Int64 = 0, second: Int64 = 0
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// The day of the week; 0 is Sunday.
    var weekday: Int { Int((dayNumber + 4).flooredDivision(by: 7).remainder) }

    private var isLeapYear: Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private var daysInMonth: Int64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: isLeapYear ? 29 : 28
        default: 31
        }
    }

    /// The number of days since 1970-01-01.
    private var dayNumber: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shiftedYear.flooredDivision(by: 400)
        let shiftedMonth = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
