internal import RhumbCore
internal import RhumbEngine

extension Browser {
    /// Requests other styles.
    mutating func setStyle(_ choice: StyleChoice) -> [Effect] {
        appearance.wantedStyle = choice
        return [.style(choice, theme)]
    }

    mutating func receive(_ outcome: Result<StyledLayers, Notice.Problem>) -> [Effect] {
        let wanted = appearance.wantedStyle.take(), remark = appearance.styleRemark.take()
        switch outcome {
        case .failure(let problem): return complain(problem.description)
        case .success(let styled):
            map.layers =
                map.layers.map { old in styled.layers[old.id].map { $0.shown(like: old) } ?? old }.stacked
            appearance.style = styled.style
            appearance.chosenSets = styled.sets
            guard wanted != nil || !styled.layers.isEmpty else { return [] }
            let isLate = styled.theme != theme
            let words =
                wanted == nil
                ? []
                : remark.map { complain($0) } ?? say("Style: \(SafeText.sanitised(appearance.style.words))")
            return [.updateView] + (isLate ? [.style(appearance.style, theme)] : []) + words + viewMoved()
        }
    }
}

extension TileLayer {
    /// Returns the layer with the user's choices for another.
    fileprivate func shown(like other: TileLayer) -> TileLayer {
        var layer = self
        layer.role = other.role
        layer.zIndex = other.zIndex
        layer.isTransparent = other.isTransparent
        layer.isVisible = other.isVisible
        layer.opacity = other.opacity
        layer.detail = other.detail
        layer.adjustment = other.adjustment
        return layer
    }
}
